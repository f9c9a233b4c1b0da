/** A short message to an owner's telephone, over any service. */
export type ShortMessage = {
  /** Constant for one message, so that gateways can detect repetitions. */
  id: string
  to: string
  text: string
}

export type MessagingOutcome = {
  /** After `unknown` it may have been accepted and must not be offered again. */
  outcome: 'accepted' | 'refused_for_good' | 'refused_for_now' | 'never_left' | 'unknown'
  response: string
}

export interface MessagingProvider {
  /** Offers one message once. Never throws for failures of the gateway. */
  send(message: ShortMessage): Promise<MessagingOutcome>
}
