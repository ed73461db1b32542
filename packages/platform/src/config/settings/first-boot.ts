import Joi from 'joi';
import { baseUrl, file, httpUrl, keyed, list, optional, section, text } from './kinds.ts';

/** A URL that may contain a password, so that the message must not contain the value. */
const secretUrl = () =>
  httpUrl()
    .pattern(/^[!-~]+$/)
    .messages({
      'string.uriCustomScheme': '{{#label}} must be a URL of http or https',
      'string.pattern.base': '{{#label}} must be a URL of http or https',
    });
const directHost = () =>
  text()
    .pattern(/^[\w.:/[\]*-]+$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a host, a domain, an address or a network' });

const aptWord = () =>
  text()
    .pattern(/^\w[\w.-]*$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a component of the repository' });
const aptSource = () =>
  keyed({
    name: text()
      .pattern(/^[a-z0-9][a-z0-9-]*$/)
      .messages({ 'string.pattern.base': '{{#label}} must have only lower-case letters, digits and hyphens' })
      .required()
      .description('Name of the list of apt: lower-case letters, digits and hyphens.'),
    url: baseUrl()
      // cloud-init replaces other words with a dollar, and apt reads brackets as options.
      .pattern(/^(?:[\w.:/~%+-]|\$\(ARCH\))+$/, 'plain')
      .messages({
        'string.pattern.name':
          '{{#label}} must be a plain URL, in which "$(ARCH)" may stand for the architecture',
      })
      .required()
      .description('Without user and password. apt replaces $(ARCH).'),
    suite: text()
      .pattern(/^(?:\$RELEASE|\w)?[\w./-]*$/)
      .messages({
        'string.pattern.base': '{{#label}} must be the suite of the repository, such as "stable" or "/"',
      })
      .required()
      .description(
        "Ends with / for a repository without components. $RELEASE is the code name of the image's release.",
      ),
    components: list(aptWord()).description(
      'Components of the repository; none with a suite that ends with /.',
    ),
    key_file: Joi.string()
      .required()
      .description(
        'File with the public key of the repository, in ASCII armor. apt accepts it for this repository only.',
      ),
  })
    .custom((source: { suite: string; components: string[] }, helpers) =>
      source.suite.endsWith('/') === (source.components.length === 0)
        ? source
        : helpers.error('apt.components'),
    )
    .messages({
      'apt.components': '{{#label}} must have "components", or a "suite" that ends with "/", but not both',
    });

export const firstBootSettings = section({
  pip_index_url: optional(secretUrl()).description(
    'Package index of pip, instead of the public one. May contain a user and a password, as the URLs ' +
      'below.',
  ),
  pip_extra_index_urls: list(secretUrl()).description('Further indexes, whose packages pip treats as equal.'),
  proxy: optional(secretUrl()).description(
    'Proxy for http and https, also for k3s and its container images.',
  ),
  no_proxy: list(directHost()).description(
    'Hosts, domains and addresses that are reached without the proxy. The gateway itself, the ' +
      'metadata service, and the API server of a cluster are always reached without it.',
  ),
  ca_file: file().description(
    'PEM file of certificate authorities that the machines trust, in addition to those of their image.',
  ),
  apt_mirror: optional(baseUrl()).description('Mirror of Debian or Ubuntu, instead of that of the image.'),
  apt_security_mirror: optional(baseUrl()).description('Mirror of their security updates.'),
  apt_sources: list(aptSource())
    .unique('name')
    .messages({ 'array.unique': '{{#label}} has the name of an earlier one' })
    .description('Further repositories of apt, on Debian and Ubuntu.')
    .example([
      {
        name: 'nvidia-container-toolkit',
        url: 'https://nvidia.github.io/libnvidia-container/stable/deb/$(ARCH)',
        suite: '/',
        key_file: '/etc/gateway/nvidia-container-toolkit.asc',
        components: [],
      },
    ]),
  ntp_servers: list(
    Joi.string().hostname().messages({ 'string.hostname': '{{#label}} must be a host or an address' }),
  ).description('Time servers (NTP), instead of those of the image.'),
}).description(
  'What instances, builders and nodes of lite clusters use at their first boot to reach package ' +
    'sources. Users of an instance can read the values in its first-boot data.',
);
