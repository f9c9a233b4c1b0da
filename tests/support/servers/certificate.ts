import { generateKeyPairSync, sign } from 'node:crypto'

/** One DER element (X.690): tag, length, content. */
export function der(tag: number, ...contents: Buffer[]) {
  const content = Buffer.concat(contents)
  const long = Buffer.from([content.length >> 8, content.length & 255])
  const length =
    content.length < 128 ? Buffer.from([content.length]) : Buffer.concat([Buffer.from([0x82]), long])
  return Buffer.concat([Buffer.from([tag]), length, content])
}

export const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes))
export const name = (text: string) =>
  der(0x30, der(0x31, der(0x30, oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(text)))))
export const utcTime = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`))

const HOUR_MS = 3_600_000

/** A self-signed certificate for one host name (RFC 5280), valid for an hour from now and generated for each run. */
export function certificateFor(host: string, { from = -HOUR_MS, until = HOUR_MS } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const ecdsaWithSha256 = der(0x30, oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
  const valid = der(0x30, utcTime(new Date(Date.now() + from)), utcTime(new Date(Date.now() + until)))
  const altName = der(0x30, oid(0x55, 0x1d, 0x11), der(0x04, der(0x30, der(0x82, Buffer.from(host)))))
  const authority = der(0x30, oid(0x55, 0x1d, 0x13), der(0x04, der(0x30, der(0x01, Buffer.from([0xff])))))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name(host),
    valid,
    name(host),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, authority, altName)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const certificate = der(0x30, body, ecdsaWithSha256, signature)
  const base64 = certificate.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
