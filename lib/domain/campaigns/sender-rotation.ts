/** Which sender gets a new lead: the one with the most room, or one of the member with the fewest leads. */
export const SENDER_ROTATIONS = ['senders', 'members'] as const
export type SenderRotation = (typeof SENDER_ROTATIONS)[number]

/** How much of a campaign's leads each member got, in parts of a lead: a sender of several members gives each a part. */
export type Shares = Readonly<Record<string, number>>
