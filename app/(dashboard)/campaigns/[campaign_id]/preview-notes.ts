import type { Preview } from '#lib/contracts/campaigns/step-previews'

type Social = Extract<Preview, { channel: 'social' }>

/** Notes on a social step: the acting account, the condition, and what its caps allow today. */
export function previewNotes({ does, account, characters, condition, cap, relation }: Social): string[] {
  const notes = [account ? `${account.name} ${does}.` : `The account ${does}. None is connected yet.`]
  if (characters) notes.push(`${count(characters.used)} of at most ${count(characters.most)} characters.`)
  if (relation && relation !== 'none') notes.push(`They are ${relation} already.`)
  if (condition.name !== 'always') notes.push(conditionNote(condition))
  if (cap) notes.push(capNote(cap))
  return notes
}

function conditionNote({ name, holds }: Social['condition']): string {
  const now = holds === null ? 'not known yet' : holds ? 'currently true' : 'not true yet'
  return `Only if ${name.replaceAll('_', ' ')}: ${now}.`
}

function capNote({ day, week, used_today, used_this_week, timezone }: NonNullable<Social['cap']>): string {
  const caps = [
    ...(day === null ? [] : [`${count(used_today)} of ${count(day)} today`]),
    ...(week === null ? [] : [`${count(used_this_week)} of ${count(week)} in seven days`]),
  ]
  return caps.length === 0
    ? 'No cap on this kind of action.'
    : `Actions of this kind so far: ${caps.join(', ')} (${timezone}).`
}

const count = (number: number) => number.toLocaleString('en')
