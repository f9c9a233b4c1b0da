/** Our own header with our Message-ID, which survives when a provider replaces the Message-ID by its own. */
export const MESSAGE_REF = 'X-Message-Ref'
