import { timeInWords } from '#lib/domain/calendar/day-words'
import { providerInWords, type RecipientProvider } from '#lib/domain/domains/recipient-provider'
import type { ContactHold } from '#lib/domain/sending/contact-hold'

const HOUR_MS = 3_600_000
/** How far back outcomes count, and how long a pause lasts unless a user ends it. */
export const PROVIDER_WINDOW_MS = 72 * HOUR_MS
export const COOL_DOWN_MS = 24 * HOUR_MS

export const PAUSE_CAUSES = ['bounces', 'deferrals', 'complaints'] as const
export type ProviderPauseCause = (typeof PAUSE_CAUSES)[number]

export type ProviderCounts = { sent: number; bounced: number; deferred: number; complained: number }

const MIN_OFFERED = 20
const MIN_BOUNCED = 5
const MAX_BOUNCED = 0.1
const MIN_DEFERRED = 10
const MAX_DEFERRED = 0.25
const MIN_COMPLAINED = 2
const MAX_COMPLAINED = 0.01

/**
 * Why a sender must stop writing to a provider for a while; null if it need not. More lenient than the rules
 * that pause a whole campaign, since it judges few emails. Deferrals count because a provider that defers
 * more than every fourth email wants less mail from this sender.
 */
export function providerPauseCause({
  sent,
  bounced,
  deferred,
  complained,
}: ProviderCounts): ProviderPauseCause | null {
  const offered = Math.max(sent, bounced) + deferred
  if (offered < MIN_OFFERED) return null
  if (complained >= MIN_COMPLAINED && complained > sent * MAX_COMPLAINED) return 'complaints'
  if (bounced >= MIN_BOUNCED && bounced > offered * MAX_BOUNCED) return 'bounces'
  if (deferred >= MIN_DEFERRED && deferred > offered * MAX_DEFERRED) return 'deferrals'
  return null
}

/** The numbers that caused a pause, such as "6 of 24 emails bounced". */
export function pauseInWords(
  cause: ProviderPauseCause,
  { sent, bounced, deferred, complained }: ProviderCounts,
): string {
  const of = (count: number, whole: number) =>
    `${count.toLocaleString('en')} of ${whole.toLocaleString('en')}`
  const offered = Math.max(sent, bounced) + deferred
  if (cause === 'complaints') return `${of(complained, sent)} recipients complained`
  return cause === 'bounces'
    ? `${of(bounced, offered)} emails bounced`
    : `${of(deferred, offered)} emails were deferred`
}

/** Which senders are paused for which providers, and the provider of each lead. */
export interface ProviderPauses {
  /** By sender, then by provider: when the pause ends. */
  readonly until: ReadonlyMap<string, ReadonlyMap<RecipientProvider, number>>
  /** By lead_index; leads whose provider is unknown are absent and never held. */
  readonly providers: ReadonlyMap<number, RecipientProvider>
}

/** When a sender may write to a lead again; null if it may now. */
export function pausedUntil(
  pauses: ProviderPauses | null,
  sender_id: string | undefined,
  lead_index: number,
  at: number,
): number | null {
  if (pauses === null || sender_id === undefined) return null
  const provider = pauses.providers.get(lead_index)
  const until = provider && pauses.until.get(sender_id)?.get(provider)
  return until !== undefined && until > at ? until : null
}

export const providerHold = (until: number): ContactHold => ({
  code: 'provider_paused',
  until,
  ask_again_at: until,
  campaign_id: null,
})

/** One sentence for each provider that some of these senders are paused for. */
export function pausesInWords(
  pauses: ProviderPauses | null,
  sender_ids: readonly string[],
  { timezone, now }: { timezone: string; now: number },
): string[] {
  const open = sender_ids.flatMap((id) =>
    [...(pauses?.until.get(id) ?? [])].filter(([, until]) => until > now),
  )
  return [...Map.groupBy(open, ([provider]) => provider)].map(([provider, of]) => {
    const mailboxes = of.length === 1 ? '1 mailbox has' : `${of.length} mailboxes have`
    const last = timeInWords(timezone, Math.max(...of.map(([, until]) => until)))
    return `${mailboxes} paused sending to ${providerInWords(provider)} until ${last} at the latest. Leads there wait or get another mailbox.`
  })
}
