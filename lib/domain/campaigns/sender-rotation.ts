/** Which sender takes a new lead: the one with the most room, or one of the member who got the fewest. */
export const SENDER_ROTATIONS = ['senders', 'members'] as const
export type SenderRotation = (typeof SENDER_ROTATIONS)[number]

/** What each member got of a campaign's leads, in parts of a lead: a sender that several have gives each of them a part. */
export type Shares = Readonly<Record<string, number>>
