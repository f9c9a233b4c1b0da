import { createHash } from 'node:crypto'
import type { SocialNetwork } from '#lib/providers/social/port'

/** A person of the simulated network, derived from the handle: the same each time, without storing a list. */
export type Stranger = { provider_id: string; handle: string; name: string; headline: string }

export type SandboxAccountRow = {
  provider_account_id: string
  workspace_id: string
  network: SocialNetwork
  name: string
  handle: string
  kind: string
  status: 'connected' | 'disconnected'
  refuse_next: number
}
export type SandboxPersonRow = {
  provider_id: string
  handle: string
  name: string
  headline: string
  invitation_id: string | null
  connects_at: Date | null
}

const ROLES = ['Head of Sales', 'Founder', 'Marketing Lead', 'Operations Manager', 'Engineer', 'Recruiter']
const FIRMS = ['Northwind', 'Acme', 'Globex', 'Initech', 'Umbrella Foods', 'Stark Tools']
const ANSWERS = [
  'Thanks for reaching out. Can you send me more about it?',
  'Interesting. How about a call next week?',
  'Not for us at the moment, but keep in touch.',
  'Hello! Who else works with this?',
]

const MINUTE_MS = 60_000

/** Evenly spread over [0, 1), derived from `parts`: every "random" decision is the same each time. */
export function toFraction(...parts: string[]): number {
  return createHash('sha256').update(parts.join('\n')).digest().readUInt32BE(0) / 2 ** 32
}

const pick = (list: readonly string[], ...parts: string[]) =>
  list[Math.floor(toFraction(...parts) * list.length)] ?? ''

export const toDigest = (...parts: string[]) =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 20)

/** The handle in a profile address or a handle, in lower case. */
export function readHandle(identifier: string): string {
  const path =
    identifier
      .trim()
      .replace(/^[a-z]+:\/\//i, '')
      .split(/[?#]/)[0] ?? ''
  const last =
    path
      .replace(/(?<!\/)\/+$/, '')
      .split('/')
      .at(-1) ?? ''
  return last.replace(/^@/, '').toLowerCase()
}

/** Null if the handle belongs to nobody: one that begins with "nobody", so that this can be tried. */
export function inventStranger(handle: string): Stranger | null {
  if (!handle || handle.startsWith('nobody')) return null
  const name = handle
    .split(/[-_.+]+/)
    .filter((word) => /\p{L}/u.test(word))
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
  return {
    provider_id: `SBX${toDigest('person', handle)}`,
    handle,
    name: name || handle,
    headline: `${pick(ROLES, handle, 'role')} at ${pick(FIRMS, handle, 'firm')} (sandbox)`,
  }
}

/** When a person accepts an invitation sent at `at`: within half an hour, or never. */
export function connectsAt(account: string, providerId: string, at: Date): Date | null {
  if (toFraction(account, providerId, 'accepts') >= 0.6) return null
  return new Date(at.getTime() + MINUTE_MS * (2 + Math.floor(28 * toFraction(account, providerId, 'when'))))
}

/** A person's answer to their first message, and when it comes; null for those who never answer. */
export function inventAnswer(
  account: string,
  providerId: string,
  at: Date,
): { text: string; at: Date } | null {
  if (toFraction(account, providerId, 'answers') >= 0.5) return null
  const minutes = 2 + Math.floor(18 * toFraction(account, providerId, 'answers when'))
  return { text: answerText(providerId), at: new Date(at.getTime() + MINUTE_MS * minutes) }
}

export const answerText = (providerId: string) => pick(ANSWERS, providerId, 'says')

/** Whether a person has a post that can be liked. */
export const hasPosts = (providerId: string) => toFraction(providerId, 'posts') < 0.8

/** The counts of a post. They only grow: fast on the first day, hardly after a week. */
export function metricsAt(postId: string, ageMs: number) {
  const reach = 200 + Math.floor(3_000 * toFraction(postId, 'reach'))
  const impressions = Math.floor(reach * (1 - Math.exp(-Math.max(0, ageMs) / (24 * 60 * MINUTE_MS))))
  return {
    impressions,
    reactions: Math.floor(impressions * 0.03),
    comments: Math.floor(impressions * 0.005),
    reposts: Math.floor(impressions * 0.002),
  }
}

export const isConnected = ({ connects_at }: Pick<SandboxPersonRow, 'connects_at'>, now: Date) =>
  connects_at !== null && connects_at <= now

/** An account has one chat with each person. */
export const chatId = (account: string, providerId: string) => `sandbox-chat-${toDigest(account, providerId)}`
