/** The resources to which a key may be restricted, each with the tags of its contracts; the first tag is the display name. */
export const RESOURCES = [
  { name: 'campaigns', tags: ['Campaigns'] },
  { name: 'datasets', tags: ['Datasets', 'Upload'] },
  { name: 'people', tags: ['People'] },
  { name: 'templates', tags: ['Templates'] },
  { name: 'sender_profiles', tags: ['Sender profiles'] },
  { name: 'personalization', tags: ['Personalization'] },
  { name: 'email_finder', tags: ['Email finder'] },
  { name: 'inbox', tags: ['Inbox'] },
  { name: 'suppressions', tags: ['Suppressions'] },
  { name: 'mailboxes', tags: ['Mailboxes'] },
  { name: 'domains', tags: ['Domains'] },
  { name: 'connected_accounts', tags: ['Connected accounts'] },
  { name: 'social_posts', tags: ['Social'] },
  { name: 'webhooks', tags: ['Webhooks'] },
  { name: 'notifications', tags: ['Notifications'] },
  { name: 'search', tags: ['Search'] },
  { name: 'assistant', tags: ['Assistant'] },
  { name: 'billing', tags: ['Billing'] },
  { name: 'api_keys', tags: ['API keys'] },
  { name: 'account', tags: ['Account'] },
  { name: 'workspace', tags: ['Workspaces'] },
  { name: 'sandbox', tags: ['Sandbox'] },
] as const

/** Tags that every credential may use: whose it is, and whether the instance is healthy. */
export const ALWAYS = ['Auth', 'Meta'] as const

export type Resource = (typeof RESOURCES)[number]['name']
export type ContractTag = (typeof RESOURCES)[number]['tags'][number] | (typeof ALWAYS)[number]

/** Each verb includes those before it. */
export const VERBS = ['none', 'read', 'write'] as const
export type Verb = (typeof VERBS)[number]

export const findResource = (tag: ContractTag): Resource | undefined =>
  RESOURCES.find(({ tags }) => tags.some((one) => one === tag))?.name

export const contains = (given: Verb | undefined, needed: Verb): boolean =>
  VERBS.indexOf(given ?? 'none') >= VERBS.indexOf(needed)
