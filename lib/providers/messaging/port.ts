/** A short message to an owner, over whatever they read on their telephone. */
export type ShortMessage = {
  /** The same for the same message, for gateways that tell repetitions by it. */
  id: string
  to: string
  text: string
}

export type MessagingOutcome = {
  /** After `unknown` it may have been taken, and must not be offered again. */
  outcome: 'accepted' | 'refused_for_good' | 'refused_for_now' | 'never_left' | 'unknown'
  response: string
}

export interface MessagingProvider {
  /** Offers one message once. Never throws for what the other side does. */
  send(message: ShortMessage): Promise<MessagingOutcome>
}
