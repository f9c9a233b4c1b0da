const KINDS: Record<string, string> = {
  sending: 'Being sent',
  retry: 'Refused for now, to be tried again',
  uncertain: 'Uncertain: it may have arrived',
  planned: 'Planned',
  launched: 'Campaign launched',
  paused: 'Campaign paused',
  resumed: 'Campaign resumed',
  edited: 'Campaign edited',
  completed: 'Every step done',
  sender_changed: 'Mailbox changed',
  stopped: 'Stopped by its owner',
  taken_back: 'Goes on: the stop was taken back',
  resolved_sent: 'Owner says: it was sent',
  resolved_not_sent: 'Owner says: it was not sent',
}

/** What a list or a timeline says of a kind of event; one that is new here is still readable. */
export const words = (kind: string) =>
  KINDS[kind] ?? `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`
