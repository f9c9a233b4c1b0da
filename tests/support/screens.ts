/** A page of app/ by its route, and the addresses at which it is visited; `{name}` is an id of the showcase. */
type Screen = {
  route: string
  at: string[]
  /** Visited without a session. */
  isPublic?: true
  /** Some instances answer 404 here. */
  mayBeAbsent?: true
}

/** Every page: screenshots are taken of these, and axe checks them. tests/architecture checks that none is missing. */
export const SCREENS: Screen[] = [
  { route: '/', at: ['/'], isPublic: true },
  {
    route: '/sign-in',
    at: ['/sign-in', '/sign-in?return_path=/campaigns', '/sign-in?return_path=/campaigns/new&ended=1'],
    isPublic: true,
  },
  // Without a pending sign-in nobody owes a code: the page redirects to the sign-in.
  { route: '/sign-in/code', at: ['/sign-in/code'], isPublic: true },
  {
    route: '/first-account/[token]',
    at: ['/first-account/{first_account}', '/first-account/{used_link}'],
    isPublic: true,
  },
  { route: '/invite/[token]', at: ['/invite/{used_link}'], isPublic: true },
  {
    route: '/not-me/[token]',
    at: ['/not-me/{used_link}'],
    isPublic: true,
  },
  { route: '/not-me/done', at: ['/not-me/done'], isPublic: true },
  { route: '/goodbye', at: ['/goodbye'], isPublic: true },
  {
    route: '/forgot-password',
    at: ['/forgot-password', '/forgot-password?sent'],
    isPublic: true,
  },
  {
    route: '/reset-password/[token]',
    at: ['/reset-password/{reset}', '/reset-password/{used_link}'],
    isPublic: true,
  },
  { route: '/sign-up', at: ['/sign-up'], isPublic: true },
  { route: '/r/[token]', at: ['/r/{report}'], isPublic: true },
  { route: '/analytics-email/[token]', at: ['/analytics-email/{analytics_email}'], isPublic: true },
  { route: '/unsubscribe/[token]', at: ['/unsubscribe/{unsubscribe}'], isPublic: true },
  {
    route: '/forms/confirm/[token]',
    at: ['/forms/confirm/{form_link}', '/forms/confirm/{used_link}'],
    isPublic: true,
  },
  { route: '/forms/sent', at: ['/forms/sent'], isPublic: true },
  { route: '/forms/not-sent', at: ['/forms/not-sent'], isPublic: true },
  { route: '/sandbox-network/sign-in', at: ['/sandbox-network/sign-in?state={sign_in}'], isPublic: true },
  { route: '/home', at: ['/home'] },
  { route: '/campaigns', at: ['/campaigns', '/campaigns?search=nothing'] },
  { route: '/campaigns/new', at: ['/campaigns/new'] },
  {
    route: '/campaigns/[campaign_id]',
    at: ['/campaigns/{draft}', '/campaigns/{running}', '/campaigns/{done}'],
  },
  {
    route: '/campaigns/[campaign_id]/leads',
    at: ['/campaigns/{running}/leads', '/campaigns/{running}/leads?lead={lead}', '/campaigns/{draft}/leads'],
  },
  {
    route: '/campaigns/[campaign_id]/sequence',
    at: ['/campaigns/{draft}/sequence', '/campaigns/{running}/sequence'],
  },
  {
    route: '/campaigns/[campaign_id]/schedule',
    at: ['/campaigns/{draft}/schedule', '/campaigns/{running}/schedule'],
  },
  {
    route: '/campaigns/[campaign_id]/settings',
    at: ['/campaigns/{draft}/settings', '/campaigns/{running}/settings'],
  },
  {
    route: '/campaigns/[campaign_id]/review',
    at: ['/campaigns/{draft}/review', '/campaigns/{blocked}/review'],
  },
  {
    route: '/campaigns/[campaign_id]/results',
    at: ['/campaigns/{running}/results', '/campaigns/{draft}/results'],
  },
  { route: '/workspaces', at: ['/workspaces', '/workspaces?search=nothing'] },
  {
    route: '/analytics',
    at: ['/analytics', '/analytics?campaign_id={running}', '/analytics?from=2020-01-01&to=2020-01-07'],
  },
  { route: '/analytics/compare', at: ['/analytics/compare', '/analytics/compare?campaign_id={running}'] },
  { route: '/results', at: ['/results'] },
  { route: '/results/[campaign_id]', at: ['/results/{running}'] },
  { route: '/results/inbox', at: ['/results/inbox', '/results/inbox?search=nothing'] },
  { route: '/results/inbox/[thread_id]', at: ['/results/inbox/{thread}'] },
  { route: '/campaigns/[campaign_id]/uncertain', at: ['/campaigns/{running}/uncertain'] },
  { route: '/datasets', at: ['/datasets'] },
  { route: '/datasets/import', at: ['/datasets/import'] },
  { route: '/datasets/[dataset_id]', at: ['/datasets/{dataset}'] },
  { route: '/datasets/[dataset_id]/rejects', at: ['/datasets/{dataset}/rejects'] },
  { route: '/datasets/[dataset_id]/verification', at: ['/datasets/{dataset}/verification'] },
  { route: '/datasets/[dataset_id]/forms', at: ['/datasets/{dataset}/forms'] },
  { route: '/datasets/[dataset_id]/sessions', at: ['/datasets/{dataset}/sessions'] },
  { route: '/datasets/[dataset_id]/sessions/[session_id]', at: ['/datasets/{dataset}/sessions/{session}'] },
  { route: '/people', at: ['/people', '/people?search=nothing', '/people?contacted_in_days=30&title=head'] },
  { route: '/people/[person_id]', at: ['/people/{person}', '/people/{person}?other=a'] },
  { route: '/companies', at: ['/companies'] },
  { route: '/companies/[company_id]', at: ['/companies/{company}'] },
  { route: '/email-finder', at: ['/email-finder'] },
  { route: '/inbox', at: ['/inbox'] },
  {
    route: '/inbox/[thread_id]',
    at: [
      '/inbox/{thread}',
      '/inbox/{thread}?panel=person',
      '/inbox/{chat}',
      '/inbox/{unreadable}',
      '/inbox/{away}',
    ],
  },
  { route: '/assistant', at: ['/assistant'] },
  { route: '/posts', at: ['/posts'] },
  { route: '/posts/new', at: ['/posts/new'] },
  { route: '/posts/calendar', at: ['/posts/calendar'] },
  { route: '/posts/[post_id]', at: ['/posts/{post}'] },
  { route: '/personalize', at: ['/personalize'] },
  { route: '/personalize/playground', at: ['/personalize/playground'] },
  { route: '/personalize/[run_id]', at: ['/personalize/{run}'] },
  { route: '/templates', at: ['/templates'] },
  { route: '/templates/new', at: ['/templates/new'] },
  { route: '/templates/[template_id]', at: ['/templates/{template}'] },
  { route: '/sender-profiles', at: ['/sender-profiles'] },
  { route: '/sender-profiles/new', at: ['/sender-profiles/new'] },
  { route: '/sender-profiles/[id]', at: ['/sender-profiles/{profile}'] },
  { route: '/mailboxes', at: ['/mailboxes'] },
  {
    route: '/mailboxes/new',
    at: [
      '/mailboxes/new',
      '/mailboxes/new?with=google',
      '/mailboxes/new?with=sandbox',
      '/mailboxes/new?with=other',
      '/mailboxes/new?address=ana@yahoo.com',
    ],
  },
  { route: '/mailboxes/import', at: ['/mailboxes/import'] },
  {
    route: '/mailboxes/organizations',
    at: [
      '/mailboxes/organizations',
      '/mailboxes/organizations?with=google',
      '/mailboxes/organizations?with=microsoft',
    ],
  },
  { route: '/mailboxes/organizations/[organization_id]', at: ['/mailboxes/organizations/{organization}'] },
  { route: '/mailboxes/sandbox-consent', at: ['/mailboxes/sandbox-consent'] },
  { route: '/mailboxes/[mailbox_id]', at: ['/mailboxes/{mailbox}'] },
  { route: '/accounts', at: ['/accounts'] },
  { route: '/accounts/[account_id]', at: ['/accounts/{account}'] },
  { route: '/domains', at: ['/domains'] },
  { route: '/domains/[domain_id]', at: ['/domains/{domain}'] },
  { route: '/suppressions', at: ['/suppressions'] },
  { route: '/sandbox/mail', at: ['/sandbox/mail'] },
  { route: '/sandbox/mail/[id]', at: ['/sandbox/mail/{message}'] },
  { route: '/sandbox/network', at: ['/sandbox/network'] },
  { route: '/sandbox/billing', at: ['/sandbox/billing'] },
  { route: '/api-keys', at: ['/api-keys'] },
  { route: '/docs', at: ['/docs'] },
  { route: '/docs/[operation]', at: ['/docs/{operation}', '/docs/{upload}'] },
  { route: '/docs/events', at: ['/docs/events'] },
  { route: '/webhooks', at: ['/webhooks'] },
  { route: '/webhooks/[webhook_id]', at: ['/webhooks/{webhook}', '/webhooks/{webhook}?delivery={delivery}'] },
  { route: '/settings', at: ['/settings'] },
  { route: '/settings/account', at: ['/settings/account'] },
  { route: '/settings/security', at: ['/settings/security'] },
  { route: '/settings/members/[user_id]', at: ['/settings/members/{me}'] },
  { route: '/settings/members', at: ['/settings/members'] },
  { route: '/ask-admin', at: ['/ask-admin'] },
  { route: '/settings/audit', at: ['/settings/audit'] },
  { route: '/settings/reports', at: ['/settings/reports'] },
  { route: '/settings/contact-policy', at: ['/settings/contact-policy'] },
  { route: '/settings/branding', at: ['/settings/branding'] },
  { route: '/settings/agency', at: ['/settings/agency'] },
  { route: '/settings/billing', at: ['/settings/billing'] },
  { route: '/settings/notifications', at: ['/settings/notifications'] },
  {
    route: '/dev/ui',
    at: ['controls', 'data', 'feedback', 'overlays', 'campaigns', 'sequence', 'datasets', 'sending'].map(
      (part) => `/dev/ui?part=${part}`,
    ),
  },
  // An address without a page.
  { route: 'not-found', at: ['/nothing/here'], mayBeAbsent: true },
]

/** An overlay over a page: keys, or patterns for the beginning of the names of elements to click, in order. */
type Overlay = { name: string; at: string; by: string[] }

export const OVERLAYS: Overlay[] = [
  { name: 'command menu', at: '/home', by: ['Search'] },
  { name: 'notifications', at: '/home', by: ['Notifications'] },
  { name: 'assistant', at: '/home', by: ['Assistant'] },
  { name: 'shortcuts', at: '/home', by: ['key ?'] },
  { name: 'user menu', at: '/home', by: ['.+: account'] },
  { name: 'new report link', at: '/settings/reports', by: ['New report link'] },
  { name: 'revoke report link', at: '/settings/reports', by: ['Revoke'] },
  { name: 'campaign menu', at: '/campaigns', by: ['More for'] },
  { name: 'delete campaign', at: '/campaigns/{draft}/settings', by: ['Delete'] },
  { name: 'launch', at: '/campaigns/{draft}/review', by: ['Launch to'] },
  { name: 'step menu', at: '/campaigns/{draft}/sequence', by: ['Add a step'] },
  { name: 'selected leads', at: '/campaigns/{running}/leads', by: ['Select '] },
  { name: 'add leads', at: '/campaigns/{running}/leads', by: ['Add leads'] },
  { name: 'suppress leads', at: '/campaigns/{running}/leads', by: ['Select ', 'Suppress'] },
  { name: 'not sent', at: '/campaigns/{running}/uncertain', by: ['It was not'] },
  { name: 'delete datasets', at: '/datasets', by: ['Select ', 'Delete'] },
  { name: 'rename dataset', at: '/datasets/{dataset}', by: ['Rename'] },
  { name: 'columns of rows', at: '/datasets/{dataset}', by: ['Columns'] },
  { name: 'add rows', at: '/datasets/{dataset}', by: ['Add rows'] },
  { name: 'edit row', at: '/datasets/{dataset}', by: ['Edit row 1'] },
  { name: 'export', at: '/datasets/{dataset}', by: ['Export'] },
  { name: 'enrich', at: '/datasets/{dataset}/sessions', by: ['Enrich'] },
  { name: 'extract', at: '/datasets/{dataset}/sessions', by: ['Extract'] },
  { name: 'verify addresses', at: '/datasets/{dataset}/verification', by: ['Verify again'] },
  { name: 'find addresses', at: '/datasets/{dataset}/sessions', by: ['Find addresses'] },
  { name: 'edit person', at: '/people/{person}', by: ['Edit the details'] },
  { name: 'labels', at: '/inbox/{thread}', by: ['Labels'] },
  { name: 'copies of an answer', at: '/inbox/{thread}', by: ['key r', 'Cc, Bcc'] },
  { name: 'forward a message', at: '/inbox/{thread}', by: ['Forward the message from'] },
  { name: 'templates of an answer', at: '/inbox/{thread}', by: ['Templates'] },
  { name: 'intents', at: '/inbox/{thread}', by: ['Intent'] },
  { name: 'snooze', at: '/inbox/{thread}', by: ['Snooze'] },
  { name: 'mailbox menu', at: '/mailboxes', by: ['More for'] },
  { name: 'remove mailbox', at: '/mailboxes', by: ['More for', 'Remove'] },
  { name: 'account menu', at: '/accounts', by: ['More for'] },
  { name: 'add suppressions', at: '/suppressions', by: ['Add entries'] },
  { name: 'import suppressions', at: '/suppressions', by: ['Import a file'] },
  { name: 'new key', at: '/api-keys', by: ['New API key'] },
  { name: 'edit key', at: '/api-keys', by: ['Edit'] },
  { name: 'revoke key', at: '/api-keys', by: ['Revoke'] },
  { name: 'new webhook', at: '/webhooks', by: ['New webhook'] },
  { name: 'edit webhook', at: '/webhooks/{webhook}', by: ['Edit'] },
  { name: 'delete webhook', at: '/webhooks/{webhook}', by: ['Delete'] },
  { name: 'form', at: '/dev/ui?part=overlays', by: ['Form'] },
  { name: 'typed question', at: '/dev/ui?part=overlays', by: ['Question to be typed'] },
  { name: 'receipt', at: '/dev/ui?part=overlays', by: ['Receipt', 'Refusal'] },
]

/** "/campaigns/{running}/leads" with the ids of a showcase filled in. Throws for a name that the showcase lacks. */
export function addressOf(at: string, ids: Record<string, string>): string {
  return at.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name]
    if (!id) throw new Error(`The showcase has no ${name}, which ${at} names.`)
    return encodeURIComponent(id)
  })
}
