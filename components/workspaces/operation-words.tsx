/** Verbs whose past tense does not end in -ed. */
const PAST: Record<string, string> = {
  begin: 'began',
  choose: 'chose',
  find: 'looked for',
  forecast: 'forecast',
  give: 'gave',
  hand: 'handed',
  hold: 'held',
  leave: 'left',
  let: 'let',
  make: 'made',
  read: 'read',
  resend: 'resent',
  send: 'sent',
  set: 'set',
  split: 'split',
  stop: 'stopped',
  tag: 'tagged',
  take: 'took',
  undo: 'undid',
  update: 'changed',
  use: 'used',
  write: 'wrote',
}
/** Phrases for ids that are no operation or would read badly. */
const WHOLE: Record<string, string> = {
  failedSignIn: 'failed to sign in',
  failedSecondFactor: 'failed the second factor',
  replyInInbox: 'replied in the inbox',
  forwardInInbox: 'forwarded a message',
  createInboxDraft: 'saved a draft reply',
  createAttachment: 'uploaded a file for an email',
  createAttachmentFromUpload: 'uploaded a file for an email',
  updateInboxDraft: 'changed a draft or scheduled reply',
  deleteInboxDraft: 'discarded a draft reply',
  disownSignIn: 'disowned a sign-in',
  handOnWorkspace: 'transferred the workspace',
  joinByDomain: 'joined by email domain',
  followGroups: 'got a new role from their groups',
  agentChat: 'asked the assistant',
  createAuthLink: 'started connecting an account',
  completeMailboxOAuth: 'connected a mailbox by OAuth',
  giveAccount: 'gave an account to a member',
  giveMailbox: 'gave a mailbox to a member',
  takeAccount: 'removed an account from a member',
  takeMailbox: 'removed a mailbox from a member',
  letParentPay: 'let the parent pay',
  endParentPaying: 'stopped the parent’s payment',
  markInboxThreadRead: 'marked a conversation as read',
  resendInvitation: 'resent an invitation',
  sendNowOnce: 'let a campaign send now, just this once',
  loseSignInDomain: 'was not let in: the record of the domain is gone',
}

const toPast = (verb: string) =>
  PAST[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb.replace(/([^aeiou])y$/, '$1i')}ed`)

/** "pauseCampaign" as a phrase after a name: "paused campaign". */
export function operationWords(id: string): string {
  const whole = WHOLE[id]
  if (whole) return whole
  const [verb = '', ...rest] = id.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).split(' ')
  return [toPast(verb), ...rest]
    .join(' ')
    .replace(/\b(api|dmarc|snds|url)\b/, (name) => name.toUpperCase())
    .replace('sign in', 'sign-in')
}
