/** Words for which the field has another one, as far as a pattern can recognise their meaning. */
export const AVOIDED: Record<string, RegExp> = {
  cannot: /\bcan not\b/,
  continues: /\bgo(?:es|ing|ne)? on\b/,
  'reads, checks, polls': /\blook(?:s|ed|ing)? (?:at|again|for|into|once more)\b|\blooks\b(?! up)/,
  'releases, defers': /\b(?:hand(?:s|ed)? back|sets? aside|gives? back)\b/,
  'rolls back, aborts': /\b(?:turn(?:s|ed)? back|giv(?:es?|en|ing) up)\b/,
  'says, shows, reports': /\b(?:tell|tells|telling|told)\b/,
  scheduled: /\bupkeep\b/,
  'stores, caches': /\b(?:remember|forget)(?:s|ed|ting)?\b|\bforgotten\b/,
  unavailable: /\b(?:is|are|was|were) away\b/,
  'associated resources, attributes': /\b(?:belongings|surroundings|facts)\b/,
  'prevents it': /\bin the way\b/,
  resumes: /\b(?:wakes?|woken|waking|wake-up)\b/,
  'is granted, requires': /\b(?:let in|wants)\b/,
};
