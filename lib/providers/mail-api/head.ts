/** Headers that an API returned one by one, as the head of a mail. */
export const toHead = (headers: { name: string; value: string }[]): Uint8Array =>
  Buffer.from(
    headers.map(({ name, value }) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}\r\n`).join('') + '\r\n',
  )
