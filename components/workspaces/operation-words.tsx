/** Where the past is not made by -ed. */
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
/** What stands for no operation, or would read badly. */
const WHOLE: Record<string, string> = {
  failedSignIn: 'failed to sign in',
  failedSecondFactor: 'failed to give the second factor',
  replyInInbox: 'replied in the inbox',
  forwardInInbox: 'forwarded a message',
  createInboxDraft: 'kept a draft of an answer',
  createAttachment: 'uploaded a file for an email',
  createAttachmentFromUpload: 'uploaded a file for an email',
  updateInboxDraft: 'changed a draft or a scheduled answer',
  deleteInboxDraft: 'discarded a draft of an answer',
  disownSignIn: 'disowned a sign-in',
  handOnWorkspace: 'handed the workspace on',
  joinByDomain: 'joined by the domain of their address',
  followGroups: 'got another role by their groups',
  agentChat: 'asked the assistant',
  createAuthLink: 'began to connect an account',
  completeMailboxOAuth: 'connected a mailbox by OAuth',
  giveAccount: 'gave an account to a member',
  giveMailbox: 'gave a mailbox to a member',
  takeAccount: 'took an account from a member',
  takeMailbox: 'took a mailbox from a member',
  letParentPay: 'let the parent pay',
  endParentPaying: 'stopped the parent’s payment',
  markInboxThreadRead: 'marked a conversation as read',
  resendInvitation: 'sent an invitation again',
  sendNowOnce: 'let a campaign send now, just this once',
  loseSignInDomain: 'was not let in: the record of the domain is gone',
}

const toPast = (verb: string) =>
  PAST[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb.replace(/([^aeiou])y$/, '$1i')}ed`)

/** "pauseCampaign" as people say it behind a name: "paused campaign". */
export function operationWords(id: string): string {
  const whole = WHOLE[id]
  if (whole) return whole
  const [verb = '', ...rest] = id.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).split(' ')
  return [toPast(verb), ...rest]
    .join(' ')
    .replace(/\b(api|dmarc|snds|url)\b/, (name) => name.toUpperCase())
    .replace('sign in', 'sign-in')
}
