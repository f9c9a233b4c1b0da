import { createHmac, timingSafeEqual } from 'node:crypto'

/** `from`: a mailbox that sends; `to`: the mailbox to which a simulated recipient answers. */
type Role = 'from' | 'to'
export type SandboxParty = { role: Role; mailbox_id: string }

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const NAME = new RegExp(`^(from|to):(${UUID})$`)

const derivePassword = (username: string, key: string) =>
  createHmac('sha256', Buffer.from(key, 'base64')).update(`sandbox-mail ${username}`).digest('base64url')

/**
 * The credentials with which the instance signs in at its own sandbox server. Addresses do not prove whose a mail is, since any
 * owner may enter any address; a client that knows the instance's key may say which mailbox the mail belongs to.
 */
export function sandboxCredentials({ role, mailbox_id }: SandboxParty, key: string) {
  const username = `${role}:${mailbox_id}`
  return { username, password: derivePassword(username, key) }
}

/** Null for a name in another format; `refused` for one of our names with a wrong password. */
export function readSandboxCredentials(
  username: string,
  password: string,
  key: string,
): SandboxParty | 'refused' | null {
  const [, role, mailbox_id] = NAME.exec(username) ?? []
  if ((role !== 'from' && role !== 'to') || !mailbox_id) return null
  const [given, wanted] = [Buffer.from(password), Buffer.from(derivePassword(username, key))]
  const isRight = given.length === wanted.length && timingSafeEqual(given, wanted)
  return isRight ? { role, mailbox_id } : 'refused'
}
