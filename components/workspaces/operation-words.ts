/** Where the past is not made by -ed. */
const PAST: Record<string, string> = {
  begin: 'began',
  find: 'looked for',
  hand: 'handed',
  leave: 'left',
  make: 'made',
  read: 'read',
  send: 'sent',
  set: 'set',
  stop: 'stopped',
  take: 'took',
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
  loseSignInDomain: 'was not let in: the record of the domain is gone',
}

const toPast = (verb: string) => PAST[verb] ?? `${verb}${verb.endsWith('e') ? 'd' : 'ed'}`

/** "pauseCampaign" as people say it behind a name: "paused campaign". */
export function operationWords(id: string): string {
  const whole = WHOLE[id]
  if (whole) return whole
  const [verb = '', ...rest] = id.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).split(' ')
  return [toPast(verb), ...rest].join(' ').replace(/\bapi\b/, 'API')
}
