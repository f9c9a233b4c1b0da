import type { Outcome } from '#lib/domain/sending/outcome'

/**
 * Once one action shows that its sender cannot send, actions claimed before that get the same outcome without
 * being tried. Actions claimed later are let through, since their claim already took the failure into
 * account.
 */
export function createGate(clock: () => Date) {
  const shut = new Map<string, { since: number; outcome: Outcome }>()
  return async (
    { sender_id, at }: { sender_id: string; at: number },
    offer: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    const known = shut.get(sender_id)
    if (known && at <= known.since) return known.outcome
    const outcome = await offer()
    if (outcome.sender_fault)
      shut.set(sender_id, {
        since: clock().getTime(),
        outcome: {
          outcome: 'never_left',
          response: outcome.response,
          sender_fault: outcome.sender_fault,
        },
      })
    return outcome
  }
}

export type Gate = ReturnType<typeof createGate>
