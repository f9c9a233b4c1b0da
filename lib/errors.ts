/** Every refusal of the product: its stable code, its HTTP status, and its message. */
export const ERRORS = {
  unauthenticated: { status: 401, message: 'Authentication is required.' },
  forbidden: { status: 403, message: 'This key or token does not allow this.' },
  keys_need_sign_in: {
    status: 403,
    message: 'An API key cannot do this. Use the token of a signed-in person.',
  },
  role_insufficient: { status: 403, message: 'Your role in this workspace does not permit this.' },
  sender_not_given: {
    status: 403,
    message: 'You do not have access to this mailbox or account. Ask an admin.',
  },
  role_above_own: { status: 403, message: 'You cannot give, change or take a role above your own.' },
  invitation_for_another: {
    status: 403,
    message: 'This invitation is for another address. Sign in with the address it was sent to.',
  },
  permission_missing: { status: 403, message: 'This key lacks a permission that this operation needs.' },
  network_not_allowed: {
    status: 403,
    message: 'This key is not allowed from your network.',
  },
  proof_outdated: {
    status: 403,
    message: 'Confirm it is you first, with your password, a passkey or a code.',
  },
  tier_limit_reached: { status: 403, message: 'Your tier does not allow more API keys. Revoke one first.' },
  not_found: { status: 404, message: 'Not found.' },
  member_not_found: { status: 404, message: 'Member not found.' },
  invitation_not_found: { status: 404, message: 'Invitation not found.' },
  campaign_not_found: { status: 404, message: 'Campaign not found.' },
  dataset_not_found: { status: 404, message: 'Dataset not found.' },
  row_not_found: { status: 404, message: 'Row not found.' },
  import_not_found: { status: 404, message: 'Import not found.' },
  upload_not_found: { status: 404, message: 'Uploaded file not found.' },
  attachment_not_found: { status: 404, message: 'Attachment not found.' },
  template_not_found: { status: 404, message: 'Template not found.' },
  sender_profile_not_found: { status: 404, message: 'Sender profile not found.' },
  mailbox_not_found: { status: 404, message: 'Mailbox not found.' },
  workspace_not_found: { status: 404, message: 'Workspace not found.' },
  account_not_found: { status: 404, message: 'Account not found.' },
  domain_not_found: { status: 404, message: 'Domain not found.' },
  session_not_found: { status: 404, message: 'Session not found.' },
  identity_not_found: { status: 404, message: 'Identity not found.' },
  api_key_not_found: { status: 404, message: 'API key not found.' },
  passkey_not_found: { status: 404, message: 'Passkey not found.' },
  edit_not_found: { status: 404, message: 'Edit not found.' },
  action_not_found: { status: 404, message: 'Action not found.' },
  lead_not_found: { status: 404, message: 'Lead not found.' },
  person_not_found: { status: 404, message: 'Person not found.' },
  company_not_found: { status: 404, message: 'Company not found.' },
  suppression_not_found: { status: 404, message: 'Suppression not found.' },
  note_not_found: { status: 404, message: 'Note not found.' },
  draft_not_found: { status: 404, message: 'This draft is gone: it was sent or discarded.' },
  too_many_drafts: { status: 409, message: 'A conversation has at most 50 drafts and scheduled answers.' },
  thread_not_found: { status: 404, message: 'Conversation not found.' },
  report_link_not_found: { status: 404, message: 'Report link not found.' },
  message_not_found: { status: 404, message: 'Message not found.' },
  webhook_not_found: { status: 404, message: 'Webhook not found.' },
  webhook_delivery_not_found: { status: 404, message: 'Delivery not found.' },
  post_not_found: { status: 404, message: 'Post not found.' },
  notification_not_found: { status: 404, message: 'Notification not found.' },
  generation_not_found: { status: 404, message: 'Text not found.' },
  run_not_found: { status: 404, message: 'Run not found.' },
  not_merged: { status: 409, message: 'Not all of these were merged into this person.' },
  no_people: { status: 409, message: 'Nobody matches these filters.' },
  too_many_people: { status: 409, message: 'More than 100,000 people match. Narrow the filters.' },
  form_not_found: { status: 404, message: 'Form not found.' },
  forms_full: { status: 409, message: 'You have 50 forms, the maximum. Delete one first.' },
  origin_not_allowed: { status: 403, message: 'This form does not accept entries from this site.' },
  signature_invalid: {
    status: 403,
    message: 'This form accepts signed requests only. The signature is missing, wrong or expired.',
  },
  view_not_found: { status: 404, message: 'View not found.' },
  view_exists: { status: 409, message: 'A view with this name already exists.' },
  images_full: { status: 409, message: 'You have 500 images, the maximum.' },
  image_not_found: { status: 404, message: 'Image not found.' },
  image_in_use: { status: 409, message: 'A message uses this image.' },
  views_full: { status: 409, message: 'You have 200 views, the maximum. Delete one first.' },
  same_person: { status: 409, message: 'These are already one person.' },
  member_exists: { status: 409, message: 'This address already belongs to a member.' },
  invitation_pending: {
    status: 409,
    message: 'This address is already invited. Resend or revoke the invitation.',
  },
  invitation_used: { status: 409, message: 'This invitation was already used.' },
  invitation_expired: { status: 409, message: 'This invitation has expired. Ask for a new one.' },
  invitation_revoked: { status: 409, message: 'This invitation was revoked. Ask for a new one.' },
  invitations_full: { status: 409, message: 'You have 100 open invitations, the maximum. Revoke one first.' },
  report_links_full: {
    status: 409,
    message: 'You have 500 report links, the maximum. Revoke some first.',
  },
  workspaces_full: { status: 409, message: 'You own 20 workspaces, the maximum. Transfer one first.' },
  not_a_client: {
    status: 409,
    message: 'Only clients are limited to chosen campaigns. Other roles see the whole workspace.',
  },
  sign_in_domain_not_found: { status: 404, message: 'Sign-in domain not found.' },
  sign_in_domains_full: { status: 409, message: 'You have 20 sign-in domains, the maximum.' },
  domain_unproven: { status: 409, message: 'The DNS record that verifies this domain was not found.' },
  domain_taken: { status: 409, message: 'Another workspace verified this domain first.' },
  dns_unavailable: { status: 503, message: 'DNS did not answer. Try again in a minute.' },
  has_parent: { status: 409, message: 'This workspace has another parent. Remove it there first.' },
  has_no_parent: { status: 409, message: 'This workspace has no parent.' },
  has_children: { status: 409, message: 'This workspace is a parent, so it cannot have a parent.' },
  parent_has_parent: { status: 409, message: 'That workspace has a parent, so it cannot be one.' },
  billed_by_parent: { status: 409, message: 'The parent pays for this workspace. Ask one of its owners.' },
  pays_itself: { status: 409, message: 'No other workspace pays for this one.' },
  own_subscription_runs: {
    status: 409,
    message: 'This workspace pays for itself. Cancel its subscription first, or both would be charged.',
  },
  suppressions_would_end: {
    status: 409,
    message: 'The parent suppresses addresses that this workspace does not. Choose what happens to them.',
  },
  suppression_inherited: {
    status: 409,
    message: 'This entry is on the parent workspace’s list. Remove it there.',
  },
  slug_taken: { status: 409, message: 'Another workspace has this address.' },
  heir_role: { status: 409, message: 'The person who takes over their work must be a member or higher.' },
  last_owner: {
    status: 409,
    message: 'This is the only owner of the workspace. Make somebody else an owner first.',
  },
  last_workspace: {
    status: 409,
    message: 'This is your only workspace. Create another one before you leave it.',
  },
  last_way_in: {
    status: 409,
    message: 'This is the only way to sign in to the account. Add a password or passkey first.',
  },
  passkey_exists: { status: 409, message: 'This passkey was already added.' },
  subscription_runs: {
    status: 409,
    message: 'Nothing was erased. Cancel the subscription first, or you would still be charged.',
  },
  erasure_unconfirmed: {
    status: 409,
    message: 'Nothing was erased. The confirmation is wrong or has expired.',
  },
  changed_meanwhile: {
    status: 409,
    message: 'Someone else saved changes in the meantime. Your changes were not saved.',
  },
  answered_meanwhile: { status: 409, message: 'There is a newer message. Nothing was sent.' },
  conflict: { status: 409, message: 'The resource was changed in the meantime. Read it again.' },
  invalid_state: { status: 409, message: 'This is not possible in the current state of the resource.' },
  campaign_not_pausable: {
    status: 409,
    message: 'Only a scheduled, launching or running campaign can be paused.',
  },
  campaign_not_resumable: { status: 409, message: 'Only a paused campaign can be resumed.' },
  campaign_not_launchable: { status: 409, message: 'Only a draft or a failed campaign can be launched.' },
  campaign_not_editable: {
    status: 409,
    message: 'This field cannot be changed in the campaign’s current status.',
  },
  edit_undone: { status: 409, message: 'This edit was already undone.' },
  edit_overtaken: {
    status: 409,
    message: 'A later edit changed the same thing. Undo that one first.',
  },
  edit_sent: {
    status: 409,
    message: 'Something was sent because of this edit, so it can no longer be undone.',
  },
  campaign_not_deletable: { status: 409, message: 'Pause the campaign before you delete it.' },
  action_not_uncertain: { status: 409, message: 'This action is not uncertain, or was already resolved.' },
  post_not_changeable: {
    status: 409,
    message: 'Only a draft, a scheduled or a failed post can be changed.',
  },
  post_without_account: { status: 409, message: 'Choose the account that publishes the post.' },
  post_not_uncertain: { status: 409, message: 'This post is not uncertain, or was already resolved.' },
  message_impossible: { status: 409, message: 'This step has no message for this lead.' },
  address_suppressed: { status: 409, message: 'The person is on the suppression list.' },
  no_sender: { status: 409, message: 'No connected mailbox can send for this campaign.' },
  launch_blocked: { status: 409, message: 'The campaign cannot be launched yet.' },
  ai_budget_spent: { status: 409, message: 'This month’s AI budget is used up.' },
  dataset_in_use: { status: 409, message: 'A campaign uses this dataset. Delete the campaign first.' },
  dataset_busy: {
    status: 409,
    message: 'Another session is running on this dataset. Wait until it finishes.',
  },
  attachment_missing: {
    status: 409,
    message: 'A file in this email is missing from storage. Remove it or attach it again.',
  },
  upload_missing: {
    status: 409,
    message: 'The file has not been uploaded yet. Send it to its upload address first.',
  },
  address_taken: { status: 409, message: 'Another row of the dataset has this address.' },
  dataset_empty: { status: 409, message: 'The dataset has no rows.' },
  template_inherited: {
    status: 409,
    message: 'This template belongs to the parent workspace. Edit it there, or make your own copy.',
  },
  template_in_use: { status: 409, message: 'A campaign uses this template.' },
  sender_profile_in_use: { status: 409, message: 'A campaign uses this sender profile.' },
  mailbox_in_use: { status: 409, message: 'A running campaign sends from this mailbox. Pause it first.' },
  account_in_use: { status: 409, message: 'A running campaign uses this account. Pause it first.' },
  account_not_connected: { status: 409, message: 'Reconnect the account.' },
  mailbox_exists: { status: 409, message: 'This address is already connected.' },
  sheet_account_not_found: { status: 404, message: 'Google account not found.' },
  sheet_not_found: { status: 404, message: 'Spreadsheet or sheet not found.' },
  sheet_signed_out: { status: 409, message: 'Reconnect the Google account.' },
  sheet_no_access: { status: 409, message: 'This Google account cannot open the spreadsheet.' },
  sheet_scope_missing: {
    status: 409,
    message: 'Reading spreadsheets was not allowed. Sign in again and leave every box ticked.',
  },
  postmaster_not_connected: { status: 404, message: 'Google’s Postmaster Tools are not connected.' },
  postmaster_scope_missing: {
    status: 409,
    message: 'Reading Postmaster Tools was not allowed. Sign in again and leave every box ticked.',
  },
  snds_not_connected: { status: 404, message: 'SNDS is not connected.' },
  snds_key_refused: {
    status: 409,
    message: 'Microsoft did not accept this key. Copy the address under “Automated data access” again.',
  },
  mailbox_scope_missing: {
    status: 409,
    message: 'Sending and reading were not allowed. Sign in again and leave every box ticked.',
  },
  mailbox_not_allowed: { status: 409, message: 'Access was denied, so nothing was connected.' },
  mailbox_needs_admin: {
    status: 409,
    message: 'An administrator of that organization must allow this app first.',
  },
  mailbox_of_another: { status: 409, message: 'You signed in to another mailbox.' },
  organization_not_found: { status: 404, message: 'Organization not found.' },
  organization_in_use: {
    status: 409,
    message: 'Mailboxes are connected through this organization. Remove them first.',
  },
  organizations_full: { status: 409, message: 'You have 20 organizations, the maximum. Remove one first.' },
  organization_key_refused: { status: 409, message: 'The key was refused, so nothing was saved.' },
  domain_exists: { status: 409, message: 'This domain was already added.' },
  domain_in_use: {
    status: 409,
    message: 'A running campaign sends from this domain. Pause it first.',
  },
  key_roll_under_way: {
    status: 409,
    message: 'This key was rolled, and both keys still work. Revoke the older one to roll again.',
  },
  rotation_under_way: { status: 409, message: 'A new key is already waiting for its record.' },
  run_not_reviewable: { status: 409, message: 'A run can be reviewed once it has ended.' },
  grant_invalid: {
    status: 409,
    message: 'This token is invalid, expired, already used or meant for something else. Request a new one.',
  },
  confirmation_outdated: {
    status: 409,
    message:
      'Nothing was done. What the user approved has changed since. Call it again to show the current version.',
  },
  template_invalid: { status: 422, message: 'The template does not parse.' },
  bad_request: { status: 400, message: 'The request could not be read.' },
  body_too_large: { status: 400, message: 'The body is too large.' },
  link_refused: { status: 400, message: 'This link cannot be opened or does not lead to a file.' },
  link_unreachable: { status: 502, message: 'The file could not be fetched from this link.' },
  not_a_spreadsheet: { status: 400, message: 'The file is not a readable spreadsheet.' },
  spreadsheet_encrypted: { status: 400, message: 'The spreadsheet is protected by a password.' },
  spreadsheet_damaged: { status: 400, message: 'The spreadsheet is damaged.' },
  spreadsheet_too_large: { status: 400, message: 'The spreadsheet is too large to import.' },
  spreadsheet_without_rows: { status: 400, message: 'The spreadsheet has no rows.' },
  attachment_refused: { status: 400, message: 'Mail servers do not accept this type of file.' },
  attachment_too_large: { status: 400, message: 'The file is too large to attach.' },
  not_an_image: { status: 400, message: 'The file is not a supported image.' },
  image_too_large: { status: 400, message: 'The image is too large.' },
  quota_exceeded: { status: 403, message: 'Your tier’s quota is used up.' },
  rate_limited: { status: 429, message: 'Too many requests. Wait and try again.' },
  provider_rejected: { status: 502, message: 'The provider refused the request.' },
  provider_unavailable: { status: 503, message: 'The provider cannot be reached.' },
  storage_unavailable: { status: 503, message: 'The file could not be stored. Try again.' },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS

/** One invalid field, in the shape of both validation envelopes. `loc` starts with body, query or path. */
export type FieldProblem = { loc: string[]; msg: string; type: string }

type AppErrorOptions = ErrorOptions & {
  message?: string
  retryAfterSeconds?: number
  current?: unknown
  headers?: Readonly<Record<string, string>>
}

/** A refusal. `message` may be more specific than the table; it is shown to the caller, so it names no internals. */
export class AppError extends Error {
  readonly code: ErrorCode
  /** Seconds after which a retry makes sense; becomes Retry-After. */
  readonly retryAfterSeconds: number | undefined
  /** For an edit of an outdated version: the current state, as its contract shows it. */
  readonly current: unknown
  /** Headers for the HTTP response. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, options)
    this.name = 'AppError'
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.current = options.current
    this.headers = options.headers ?? {}
  }
}

/** A well-formed request that breaks a rule: 422 in the endpoint's validation shape. */
export class ValidationError extends Error {
  readonly problems: FieldProblem[]

  constructor(problems: FieldProblem[]) {
    super(problems.map((problem) => `${problem.loc.join('.')}: ${problem.msg}`).join('; '))
    this.name = 'ValidationError'
    this.problems = problems
  }
}

/** Shorthand for a single invalid field. */
export const invalid = (loc: string[], msg: string, type = 'value_error') =>
  new ValidationError([{ loc, msg, type }])
