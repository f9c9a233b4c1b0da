import { createHmac, timingSafeEqual } from 'node:crypto'

/** A mailbox that sends, or one that a pretended recipient answers to. */
type Role = 'from' | 'to'
export type SandboxParty = { role: Role; mailbox_id: string }

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const NAME = new RegExp(`^(from|to):(${UUID})$`)

const derivePassword = (username: string, key: string) =>
  createHmac('sha256', Buffer.from(key, 'base64')).update(`sandbox-mail ${username}`).digest('base64url')

/**
 * With which the instance signs in at its own sandbox. Addresses say nothing of whose a mail is, since any owner may name
 * any; whoever knows the instance's key may say for which mailbox it comes.
 */
export function sandboxCredentials({ role, mailbox_id }: SandboxParty, key: string) {
  const username = `${role}:${mailbox_id}`
  return { username, password: derivePassword(username, key) }
}

/** Null for a name that is none of ours, and `refused` for one of ours with another password. */
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
