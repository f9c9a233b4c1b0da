/** The codes of Node and OpenSSL for a failed handshake or certificate. */
const CODES = /^(ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO_|STARTTLS)|CERT/

export const isTlsFailure = (code: string): boolean => CODES.test(code)

const OWN_AUTHORITY = 'or this instance must trust its authority (NODE_EXTRA_CA_CERTS)'

/** By the first matching code: what is wrong, and who can fix it. */
const CAUSES: { codes: RegExp; said: (host: string, message: string) => string }[] = [
  {
    codes: /^CERT_HAS_EXPIRED$/,
    said: (host) => `The certificate of ${host} has expired. Whoever runs this server must renew it.`,
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    said: (host) => `The certificate of ${host} is not valid yet: check the clock of this instance.`,
  },
  {
    codes: /^CERT_REVOKED$/,
    said: (host) => `The certificate of ${host} was revoked. Whoever runs this server must replace it.`,
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    said: (host, message) =>
      `The certificate is not for ${host}. Enter the name on the certificate${altNames(message)}.`,
  },
  {
    codes: /SELF_SIGNED_CERT/,
    said: (host) =>
      `The certificate of ${host} is self-signed. The server needs another one, ${OWN_AUTHORITY}.`,
  },
  {
    codes: /^UNABLE_TO_/,
    said: (host) =>
      `The certificate of ${host} cannot be verified: its server has to send the intermediate certificates too, ${OWN_AUTHORITY}.`,
  },
  {
    codes: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/,
    said: (host) => `${host} does not use TLS on this port. Choose STARTTLS, or the server’s TLS port.`,
  },
  {
    codes: /UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION/,
    said: (host) => `${host} supports only TLS versions before 1.2, which are no longer safe.`,
  },
]

/** The original message if no code matches. */
export function tlsInWords(code: string, host: string, message: string): string {
  return CAUSES.find(({ codes }) => codes.test(code))?.said(host, message) ?? message
}

const MOST_NAMES = 200

/** The names in Node's message: "… is not in the cert's altnames: DNS:a.example, DNS:b.example". */
function altNames(message: string): string {
  const [, names = ''] = message.split("is not in the cert's altnames: ")
  const listed = names.replaceAll(/DNS:|IP Address:/g, '').slice(0, MOST_NAMES)
  return listed && ` (${listed})`
}
