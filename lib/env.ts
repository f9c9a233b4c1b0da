import { z } from 'zod'

/** A comma-separated list. */
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
 * All environment variables. Optional if a sandbox or a default can stand in. `npm run up` generates the secrets once and stores
 * them in DATA_DIR; a deployment sets them itself.
 */
export const Env = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  DATABASE_URL: z.string().min(1),
  /** The address that the web server listens on; set by `npm run up`. */
  HOST: z.string().optional(),
  /** Comma-separated addresses and networks of trusted proxies, whose forwarded client address is used. See lib/http/peer.ts. */
  TRUSTED_PROXIES: z.string().optional(),
  /** The folder for files, unless a blob store holds them. */
  DATA_DIR: z.string().default('.data'),
  /** Another folder for them, such as one shared by several machines. */
  FILES_DIR: z.string().optional(),
  /** The token of a Vercel Blob store, which then holds the files instead of DATA_DIR; and whether the store is public. */
  BLOB_READ_WRITE_TOKEN: z.string().optional(),
  BLOB_ACCESS: z.enum(['private', 'public']).default('private'),
  /** An S3 bucket, or a compatible one at S3_ENDPOINT, for the files. Credentials: AWS_* by default. */
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Whether browsers upload directly to the bucket, whose CORS rules must allow that. */
  S3_DIRECT_UPLOADS: flag.default(false),
  /** Most database connections of one process. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  /** The address under which people and mail clients reach the app; links in mail start with it. */
  APP_URL: z.url().default('http://127.0.0.1:3000'),
  /** The address of tracked links and images, which must lead to the same app. APP_URL by default. */
  TRACKING_URL: z.url().optional(),
  /** Signs the session cookies of the dashboard. */
  NEXTAUTH_SECRET: z.string().min(16).optional(),
  /** 32 bytes, base64: encrypts mailbox passwords and signing keys at rest, and signs links in mail. */
  ENCRYPTION_KEY: z.string().min(1),
  /** Further keys, comma-separated, previous or next: they decrypt and verify what they encrypted and signed, nothing more. */
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
   * The service that wrapped these keys: each process unwraps them at start and keeps them in memory only. Vault (its transit
   * engine) or AWS KMS, with the settings to reach it.
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
  /** Sign-in by the operator's own OIDC provider; all of the first three or none. The name is shown on its button. */
  OIDC_ISSUER: z.url().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40).optional(),
  /** The scopes requested from it; some providers return groups only for a scope of their own. */
  OIDC_SCOPE: z
    .string()
    .regex(/^openid( [\w.:/-]+)*$/)
    .default('openid email profile'),
  /** The claim in its ID token that holds groups, for the roles in workspaces. */
  OIDC_GROUPS_CLAIM: z.string().min(1).max(200).default('groups'),
  /** Set if the provider gives nobody the address of another person: then the address alone links them to an account. */
  OIDC_LINKS_BY_EMAIL: flag.default(false),
  /** Sign-in by Google, restricted to one Workspace domain or to people with an account here. */
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
  /** Days without a request after which a session ends; after thirty days it ends in any case. */
  SESSION_IDLE_DAYS: z.coerce.number().int().min(1).max(30).default(14),
  /** Set if anyone may create an account on the sign-in page. */
  ALLOW_SIGN_UP: flag.default(false),
  INNGEST_BASE_URL: z.url().optional(),
  INNGEST_EVENT_KEY: z.string().optional(),
  INNGEST_SIGNING_KEY: z.string().optional(),
  /** The previous or next key, while it is being changed. */
  INNGEST_SIGNING_KEY_FALLBACK: z.string().optional(),
  /** The address at which an Inngest server reaches the functions. */
  INNGEST_SERVE_ORIGIN: z.url().optional(),
  INNGEST_DEV: z.string().optional(),
  /** The host's limit in seconds for one call of a background function; a round of work ends well before. */
  MAX_DURATION_SECONDS: z.coerce.number().int().min(10).max(7_200).default(300),
  /** Most simultaneous connections to one IMAP host, over all processes. */
  MAIL_HOST_CONNECTIONS: z.coerce.number().int().min(1).max(1_000).default(10),
  /** Mailboxes that one process listens to over IMAP (IDLE); the others are polled. 0: none. */
  MAIL_IDLE_MAILBOXES: z.coerce.number().int().min(0).max(10_000).default(200),
  /** Shortest pause between two wake-ups of one kind of background work, in seconds: work due closer together shares one. */
  WAKE_PAUSE_SECONDS: z.coerce.number().min(0).max(50).default(45),
  /** Requests per minute and credential. */
  RATE_LIMIT_READ: z.coerce.number().int().positive().default(600),
  RATE_LIMIT_WRITE: z.coerce.number().int().positive().default(120),
  RATE_LIMIT_AI: z.coerce.number().int().positive().default(20),
  RATE_LIMIT_WORKSPACE: z.coerce.number().int().positive().default(5),
  /** The port of the sandbox mail server; set by `npm run up`, absent without a sandbox. */
  SANDBOX_SMTP_PORT: port.optional(),
  /** DNS servers to query, `address` or `address:port`, comma-separated; absent: those of the machine. */
  DNS_SERVERS: names,
  /** DNS blocklists in which domains and the addresses of sending servers are looked up; absent: none. */
  DNSBL_DOMAINS: names,
  DNSBL_ADDRESSES: names,
  /** Queries a domain's own servers first, whose answers are not delayed by caches. */
  DNS_ASK_AUTHORITATIVE: flag.default(false),
  /** Public name of this instance to which `track.<domain>` of mail domains points; https must be served for those names too. */
  TRACKING_HOST: z.hostname().toLowerCase().optional(),
  /** Public name under which BOUNCE_SMTP_PORT is reached on port 25; it is the MX of `bounce.<domain>`. */
  BOUNCE_HOST: z.hostname().toLowerCase().optional(),
  /** Starts the server that receives bounces. */
  BOUNCE_SMTP_PORT: port.optional(),
  /** PEM files for its STARTTLS; both or neither. Read again every hour. */
  BOUNCE_TLS_CERT: z.string().optional(),
  BOUNCE_TLS_KEY: z.string().optional(),
  /**
   * Enables probing mail servers for the existence of addresses: the name in EHLO and the envelope sender. Both or neither; a
   * port other than 25 is for tests.
   */
  EMAIL_PROBE_EHLO_NAME: z.hostname().toLowerCase().optional(),
  EMAIL_PROBE_FROM: z.email().optional(),
  EMAIL_PROBE_PORT: port.default(25),
  /** The pause between two connections to one mail server, and the limit of one whole dialogue. */
  EMAIL_PROBE_SPACING_MS: z.coerce.number().int().min(0).max(3_600_000).default(5_000),
  EMAIL_PROBE_TIMEOUT_MS: z.coerce.number().int().min(100).max(120_000).default(20_000),
  /** Most dialogues per minute with the servers of one domain. */
  EMAIL_PROBE_PER_DOMAIN: z.coerce.number().int().positive().default(4),
  /** An enrichment service: its URL, bearer token, name, the fields it returns and the price of a look-up. */
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
  /** Address verification services, each with the highest price of one look-up. */
  NEVERBOUNCE_API_KEY: z.string().optional(),
  NEVERBOUNCE_PRICE: z.coerce.number().min(0).max(1_000).default(0.008),
  ZEROBOUNCE_API_KEY: z.string().optional(),
  ZEROBOUNCE_PRICE: z.coerce.number().min(0).max(1_000).default(0.01),
  /** Google Sheets over OAuth: this instance's own client, see docs/leads.md. */
  SHEETS_GOOGLE_CLIENT_ID: z.string().optional(),
  SHEETS_GOOGLE_CLIENT_SECRET: z.string().optional(),
  /** Mailboxes at Google and Microsoft over OAuth: this instance's own client at each, see docs/mailboxes.md. */
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
  /** How mailboxes there are reached: over SMTP and IMAP, or over the Gmail API and Microsoft Graph, for hosts that block SMTP. */
  MAIL_GOOGLE_ROUTE: z.enum(['smtp', 'api']).default('smtp'),
  MAIL_MICROSOFT_ROUTE: z.enum(['smtp', 'api']).default('smtp'),
  /**
   * Google's notifications of new mail: a Pub/Sub topic in the client's project, and the service account that its push
   * subscription signs as. Both or neither.
   */
  MAIL_GOOGLE_TOPIC: z
    .string()
    .regex(/^projects\/[\w.:-]{1,100}\/topics\/[\w.~+%-]{3,255}$/)
    .optional(),
  MAIL_GOOGLE_PUSH_ACCOUNT: z.email().optional(),
  /** Microsoft's notifications of new mail: Graph must reach this instance at APP_URL. */
  MAIL_MICROSOFT_PUSH: flag.default(false),
  /** Allows mailboxes and webhooks at private addresses; for self-hosters with their own mail server. */
  ALLOW_PRIVATE_HOSTS: flag.default(false),
  /** smtp:// (STARTTLS, or `?security=none`) or smtps://: the server for mail to owners. Absent: the sandbox, if there is one. */
  NOTIFY_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** The sender of mail to owners: an address, or `Name <address>`. */
  NOTIFY_FROM: z
    .string()
    .regex(/^(?:[^<>]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/)
    .optional(),
  /** A gateway for short messages to owners, the format of its body, and its bearer token. Absent: the sandbox. */
  MESSAGING_URL: z.url({ protocol: /^https?$/ }).optional(),
  MESSAGING_KIND: z.enum(['plain', 'whatsapp', 'telegram']).default('plain'),
  MESSAGING_TOKEN: z.string().optional(),
  /** Subscriptions by Stripe: its secret key, the secret of its webhook, and {price id: tier} as JSON. */
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_PRICES: z.string().default('{}'),
  STRIPE_API_URL: z.url().optional(),
  /** The bearer token of /metrics. Absent: /metrics answers only requests from this machine. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** The OTLP over HTTP endpoint for traces, its headers, and the service name of this process. Absent: no tracing. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  /** Enables /dev, the pages for UI developers; always enabled in development. */
  ALLOW_DEV_PAGES: flag.default(false),
  /**
   * Social networks by Unipile. First version: host and port (or URL) of one's own API, its key, and the secret of its webhooks.
   * Second version: its key, and the secret of its webhook endpoint, which is needed to connect accounts.
   */
  UNIPILE_DSN: z.string().optional(),
  UNIPILE_API_KEY: z.string().optional(),
  UNIPILE_WEBHOOK_SECRET: z.string().min(16).optional(),
  UNIPILE_V2_API_KEY: z.string().optional(),
  UNIPILE_V2_WEBHOOK_SECRET: z.string().min(16).optional(),
  UNIPILE_V2_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The AI provider: `openai` means any server with chat completions. Absent: the offline writer. */
  AI_PROVIDER: z.enum(['openai', 'anthropic', 'gateway', 'offline']).optional(),
  AI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  AI_API_KEY: z.string().optional(),
  AI_MODEL: z.string().optional(),
  /** The limit for a model's whole answer. */
  AI_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(600).default(90),
  /** Off for servers that support only `json_object` as a response format. */
  AI_JSON_SCHEMA: flag.default(true),
  /** Most simultaneous calls of one run. */
  AI_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4),
  /** Most tokens per workspace and month, input and output together, whatever the workspace's own limit. Absent: no limit. */
  AI_TOKENS_PER_MONTH: z.coerce.number().int().min(0).optional(),
  /** The price of each model in US dollars per million tokens, by its name. */
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

/** The environment, parsed and validated at first use, so that a build needs none of it. */
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
