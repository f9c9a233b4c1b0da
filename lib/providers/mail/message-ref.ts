/** A header of ours with our Message-ID: it stays where a provider puts a Message-ID of its own in the place of ours. */
export const MESSAGE_REF = 'X-Message-Ref'
