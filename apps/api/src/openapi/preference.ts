export const preferParameter = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: [
    'With `respond-async` (RFC 7240), the request starts the job of the path that ends in `/async`, and is answered at once with',
    'that job and status 202. Its end is the end of the job, which `Location` shows. Other preferences have no effect.',
  ].join(' '),
  schema: { type: 'string', maxLength: 255 },
};

export const jobAddressHeader = {
  description: 'The address of the job.',
  schema: { type: 'string' },
};

export const preferenceAppliedHeader = {
  description: 'The preference that was honoured.',
  schema: { type: 'string', const: 'respond-async' },
};
