/** What a user does with a conversation they have open. */
export const PRESENCE_STATES = ['open', 'typing', 'left'] as const
export type PresenceState = (typeof PRESENCE_STATES)[number]

/** A user who has not reported for this long is no longer shown. */
export const PRESENT_MS = 60_000
/** An unchanged state is written at most this often. */
export const SAID_MS = 20_000

type Present = { name: string; is_typing: boolean }

/** Who is replying to a conversation, or else who has it open, in words; null if nobody. */
export function presenceText(people: readonly Present[]): string | null {
  const typing = people.filter(({ is_typing }) => is_typing)
  const shown = typing.length > 0 ? typing : people
  const [one, two, ...others] = shown.map(({ name }) => name)
  if (one === undefined) return null
  const verb = typing.length > 0 ? 'answering' : 'viewing this'
  if (two === undefined) return `${one} is ${verb}`
  if (others.length === 0) return `${one} and ${two} are ${verb}`
  return `${one}, ${two} and ${others.length} ${others.length === 1 ? 'other' : 'others'} are ${verb}`
}
