import { z } from 'zod'

/** A list with commas. */
const names = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  )
const port = z.coerce.number().int().min(1).max(65_535)
const flag = z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true')

const Prices = z.record(z.string(), z.object({ input: z.number().min(0), output: z.number().min(0) }))

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Everything the environment may say. Optional where a sandbox or a default can stand in.
 * `npm run up` makes the secrets once and keeps them in DATA_DIR; a deployment sets them itself.
 */
export const Env = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  DATABASE_URL: z.string().min(1),
  /** What the web server listens on; set by `npm run up`. */
  HOST: z.string().optional(),
  /** Addresses and networks of the proxies that are believed about whom they ask for, with commas. See lib/http/peer.ts. */
  TRUSTED_PROXIES: z.string().optional(),
  /** Where files are kept that no blob store keeps. */
  DATA_DIR: z.string().default('.data'),
  /** Another folder for them, such as one that several machines share. */
  FILES_DIR: z.string().optional(),
  /** Of a store of Vercel Blob: files go there instead of DATA_DIR; and how the store was made. */
  BLOB_READ_WRITE_TOKEN: z.string().optional(),
  BLOB_ACCESS: z.enum(['private', 'public']).default('private'),
  /** A bucket of S3, or of what speaks its protocol at S3_ENDPOINT: files go there. Keys: those of AWS_* unless set. */
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Whether browsers put uploads into the bucket, whose rules then have to let them (CORS). */
  S3_DIRECT_UPLOADS: flag.default(false),
  /** Connections that one process may hold. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  /** Address under which people and mail clients reach the app; links in mail start with it. */
  APP_URL: z.url().default('http://127.0.0.1:3000'),
  /** Where tracked links and images point: another address of the same app. APP_URL unless set. */
  TRACKING_URL: z.url().optional(),
  /** Session cookies of the dashboard are signed with it. */
  NEXTAUTH_SECRET: z.string().min(16).optional(),
  /** 32 bytes, base64: seals mailbox passwords and signing keys at rest, and signs links in mail. */
  ENCRYPTION_KEY: z.string().min(1),
  /** Other keys, with commas, those before it or the one to come: they open what they sealed and the links they signed, and seal nothing. */
  ENCRYPTION_KEYS_OLD: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((key) => key.trim())
        .filter(Boolean),
    ),
  /**
   * What wrapped these keys: each process has them unwrapped at its start, and keeps them in memory alone. Vault (its transit
   * engine) or AWS KMS, and what either is reached by.
   */
  ENCRYPTION_KMS: z.enum(['vault', 'aws']).optional(),
  VAULT_ADDR: z.url({ protocol: /^https?$/ }).optional(),
  VAULT_TOKEN: z.string().optional(),
  VAULT_NAMESPACE: z.string().optional(),
  VAULT_TRANSIT_MOUNT: z.string().optional(),
  VAULT_TRANSIT_KEY: z.string().optional(),
  AWS_REGION: z.string().optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_KMS_KEY_ID: z.string().optional(),
  AWS_KMS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** JSON array of {issuer, audience, jwks_url?}: identity providers whose JWTs the API accepts. */
  AUTH_ISSUERS: z.string().default('[]'),
  /** Sign-in by an OIDC provider of one's own; the first three or none. The name stands on its button. */
  OIDC_ISSUER: z.url().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40).optional(),
  /** Asked of that provider; some name groups only where a scope of their own is asked for. */
  OIDC_SCOPE: z
    .string()
    .regex(/^openid( [\w.:/-]+)*$/)
    .default('openid email profile'),
  /** The claim of its ID token that names groups, for the roles of workspaces. */
  OIDC_GROUPS_CLAIM: z.string().min(1).max(200).default('groups'),
  /** Set where that provider gives nobody another's address: then the address alone joins a person to an account. */
  OIDC_LINKS_BY_EMAIL: flag.default(false),
  /** Sign-in by Google, for one Workspace domain or for whoever has an account here. */
  SIGN_IN_GOOGLE_CLIENT_ID: z.string().optional(),
  SIGN_IN_GOOGLE_CLIENT_SECRET: z.string().optional(),
  SIGN_IN_GOOGLE_DOMAIN: z.hostname().toLowerCase().optional(),
  /** Sign-in by Microsoft: a tenant's id or domain, or `organizations`, `consumers`, `common`. */
  SIGN_IN_MICROSOFT_CLIENT_ID: z.string().optional(),
  SIGN_IN_MICROSOFT_CLIENT_SECRET: z.string().optional(),
  SIGN_IN_MICROSOFT_TENANT: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,100}$/)
    .default('organizations'),
  /** Days without a request after which a browser is signed out; after thirty it is in any case. */
  SESSION_IDLE_DAYS: z.coerce.number().int().min(1).max(30).default(14),
  /** Set where anyone may make an account on the sign-in page. */
  ALLOW_SIGN_UP: flag.default(false),
  INNGEST_BASE_URL: z.url().optional(),
  INNGEST_EVENT_KEY: z.string().optional(),
  INNGEST_SIGNING_KEY: z.string().optional(),
  /** The key before or after it, while it is being changed. */
  INNGEST_SIGNING_KEY_FALLBACK: z.string().optional(),
  /** Where an Inngest server reaches the functions. */
  INNGEST_SERVE_ORIGIN: z.url().optional(),
  INNGEST_DEV: z.string().optional(),
  /** Seconds that the host gives one call of a background function; a round of work ends well before. */
  MAX_DURATION_SECONDS: z.coerce.number().int().min(10).max(7_200).default(300),
  /** Connections to one IMAP host at once, over all processes. */
  MAIL_HOST_CONNECTIONS: z.coerce.number().int().min(1).max(1_000).default(10),
  /** Mailboxes that one process listens to over IMAP (IDLE); the others are read by the clock. 0: none. */
  MAIL_IDLE_MAILBOXES: z.coerce.number().int().min(0).max(10_000).default(200),
  /** Least pause between two wake-ups of one kind of background work, in seconds: what is due closer together shares one. */
  WAKE_PAUSE_SECONDS: z.coerce.number().min(0).max(50).default(45),
  /** Requests a minute and credential. */
  RATE_LIMIT_READ: z.coerce.number().int().positive().default(600),
  RATE_LIMIT_WRITE: z.coerce.number().int().positive().default(120),
  RATE_LIMIT_AI: z.coerce.number().int().positive().default(20),
  RATE_LIMIT_WORKSPACE: z.coerce.number().int().positive().default(5),
  /** Port of the sandbox mail server; set by `npm run up`, absent where there is no sandbox. */
  SANDBOX_SMTP_PORT: port.optional(),
  /** DNS servers to ask, `address` or `address:port`, with commas; absent: what the machine uses. */
  DNS_SERVERS: names,
  /** Blocklists by DNS that domains, and the addresses of sending servers, are looked up in; absent: none is asked. */
  DNSBL_DOMAINS: names,
  DNSBL_ADDRESSES: names,
  /** Asks a domain's own servers first, whose answers no cache delays. */
  DNS_ASK_AUTHORITATIVE: flag.default(false),
  /** Public name of this instance that `track.<domain>` of mail domains points to, served under https by those names too. */
  TRACKING_HOST: z.hostname().toLowerCase().optional(),
  /** Public name under which BOUNCE_SMTP_PORT is reached on port 25; `bounce.<domain>` has it as its MX. */
  BOUNCE_HOST: z.hostname().toLowerCase().optional(),
  /** Starts the server that takes bounces. */
  BOUNCE_SMTP_PORT: port.optional(),
  /** PEM files with which it offers STARTTLS; both or neither. Read anew each hour. */
  BOUNCE_TLS_CERT: z.string().optional(),
  BOUNCE_TLS_KEY: z.string().optional(),
  /**
   * Asks mail servers whether addresses exist: the name given in EHLO and the sender of the question. Both or neither;
   * the port other than 25 is for tests.
   */
  EMAIL_PROBE_EHLO_NAME: z.hostname().toLowerCase().optional(),
  EMAIL_PROBE_FROM: z.email().optional(),
  EMAIL_PROBE_PORT: port.default(25),
  /** Pause between two connections to one mail server, and for one whole dialogue. */
  EMAIL_PROBE_SPACING_MS: z.coerce.number().int().min(0).max(3_600_000).default(5_000),
  EMAIL_PROBE_TIMEOUT_MS: z.coerce.number().int().min(100).max(120_000).default(20_000),
  /** Dialogues with the servers of one domain, a minute. */
  EMAIL_PROBE_PER_DOMAIN: z.coerce.number().int().positive().default(4),
  /** A service that knows more of a lead: where it answers, its bearer token, its name, the fields and the price of a look-up. */
  ENRICHMENT_URL: z.url({ protocol: /^https?$/ }).optional(),
  ENRICHMENT_TOKEN: z.string().optional(),
  ENRICHMENT_NAME: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,39}$/)
    .default('provider'),
  ENRICHMENT_FIELDS: z
    .string()
    .regex(/^[a-z][a-z0-9_]*(,[a-z][a-z0-9_]*)*$/)
    .default('title,company,website,linkedin_url,phone,city,country'),
  ENRICHMENT_PRICE: z.coerce.number().min(0).max(1_000).default(0),
  /** Services that verify addresses, each with the most that one look-up costs. */
  NEVERBOUNCE_API_KEY: z.string().optional(),
  NEVERBOUNCE_PRICE: z.coerce.number().min(0).max(1_000).default(0.008),
  ZEROBOUNCE_API_KEY: z.string().optional(),
  ZEROBOUNCE_PRICE: z.coerce.number().min(0).max(1_000).default(0.01),
  /** Sheets of Google by OAuth: a client of this instance, see docs/leads.md. */
  SHEETS_GOOGLE_CLIENT_ID: z.string().optional(),
  SHEETS_GOOGLE_CLIENT_SECRET: z.string().optional(),
  /** Mailboxes at Google and Microsoft by OAuth: a client of this instance at each, see docs/mailboxes.md. */
  MAIL_GOOGLE_CLIENT_ID: z.string().optional(),
  MAIL_GOOGLE_CLIENT_SECRET: z.string().optional(),
  MAIL_MICROSOFT_CLIENT_ID: z.string().optional(),
  MAIL_MICROSOFT_CLIENT_SECRET: z.string().optional(),
  /** A tenant's id or domain, or `organizations`, `consumers`, `common`; and which of Microsoft's clouds. */
  MAIL_MICROSOFT_TENANT: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,100}$/)
    .default('common'),
  MAIL_MICROSOFT_CLOUD: z.enum(['global', 'us', 'dod', 'china']).default('global'),
  /** Which way mailboxes go there: over SMTP and IMAP, or over the Gmail API and Microsoft Graph, where a host closes SMTP. */
  MAIL_GOOGLE_ROUTE: z.enum(['smtp', 'api']).default('smtp'),
  MAIL_MICROSOFT_ROUTE: z.enum(['smtp', 'api']).default('smtp'),
  /**
   * Has Google tell of new mail: a topic of Pub/Sub in the project of the client, and the service account that its push
   * subscription signs as. Both or neither.
   */
  MAIL_GOOGLE_TOPIC: z
    .string()
    .regex(/^projects\/[\w.:-]{1,100}\/topics\/[\w.~+%-]{3,255}$/)
    .optional(),
  MAIL_GOOGLE_PUSH_ACCOUNT: z.email().optional(),
  /** Has Microsoft tell of new mail: Graph reaches this instance at APP_URL. */
  MAIL_MICROSOFT_PUSH: flag.default(false),
  /** Lets mailboxes and webhooks point at private addresses; for self-hosters with their own mail server. */
  ALLOW_PRIVATE_HOSTS: flag.default(false),
  /** smtp:// (STARTTLS, or `?security=none`) or smtps://: where mail to owners leaves. Absent: the sandbox, if there is one. */
  NOTIFY_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Whom mail to owners comes from: an address, or `Name <address>`. */
  NOTIFY_FROM: z
    .string()
    .regex(/^(?:[^<>]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/)
    .optional(),
  /** A gateway for short messages to owners, the form of its body, and its bearer token. Absent: the sandbox. */
  MESSAGING_URL: z.url({ protocol: /^https?$/ }).optional(),
  MESSAGING_KIND: z.enum(['plain', 'whatsapp', 'telegram']).default('plain'),
  MESSAGING_TOKEN: z.string().optional(),
  /** Subscriptions by Stripe: its secret key and the secret of its webhook, and {price id: tier} as JSON. */
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_PRICES: z.string().default('{}'),
  STRIPE_API_URL: z.url().optional(),
  /** Bearer token of /metrics. Absent: /metrics answers on this machine alone. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Where traces go (OTLP over HTTP), with which headers, and what they call this process. Absent: nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  /** Opens /dev, the pages for whoever builds screens; development always has them. */
  ALLOW_DEV_PAGES: flag.default(false),
  /**
   * Social networks by Unipile. Its first version: host and port of one's own API (or its address), its key, and the secret of
   * its webhooks. Its second version: its key, and the secret of its webhook endpoint, by which accounts are connected.
   */
  UNIPILE_DSN: z.string().optional(),
  UNIPILE_API_KEY: z.string().optional(),
  UNIPILE_WEBHOOK_SECRET: z.string().min(16).optional(),
  UNIPILE_V2_API_KEY: z.string().optional(),
  UNIPILE_V2_WEBHOOK_SECRET: z.string().min(16).optional(),
  UNIPILE_V2_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The model that writes: `openai` speaks to any server with chat completions. Absent: the offline writer. */
  AI_PROVIDER: z.enum(['openai', 'anthropic', 'gateway', 'offline']).optional(),
  AI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  AI_API_KEY: z.string().optional(),
  AI_MODEL: z.string().optional(),
  /** For the whole answer of a model. */
  AI_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(600).default(90),
  /** Off for servers that know only `json_object` as a response format. */
  AI_JSON_SCHEMA: flag.default(true),
  /** Calls of one run under way at once. */
  AI_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4),
  /** What models may use for one workspace in a month, in and out together, whatever the workspace allows itself. Absent: any number. */
  AI_TOKENS_PER_MONTH: z.coerce.number().int().min(0).optional(),
  /** What a model costs in US dollars per million tokens, by its name. */
  AI_PRICES: z
    .string()
    .default('{}')
    .transform((text, context) => {
      const parsed = Prices.safeParse(parsedJson(text))
      if (parsed.success) return parsed.data
      context.addIssue({ code: 'custom', message: 'must be JSON: {"model": {"input": 1, "output": 2}}' })
      return z.NEVER
    }),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
})

export type Env = z.infer<typeof Env>

let known: Env | undefined

/** The environment, read and checked at its first use, so that a build needs none of it. */
export function env(): Env {
  if (known) return known
  const present = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
  const parsed = Env.safeParse(present)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The environment is not complete. ${faults.join('; ')}`)
  }
  known = parsed.data
  return known
}
