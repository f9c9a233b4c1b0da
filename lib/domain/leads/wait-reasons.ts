import { CONTACT_HOLDS } from '#lib/domain/sending/contact-hold'

/** Why a lead waits although its step is due: because of the person, or of the contact policy. */
export const HELD_IN_PERSON = ['away', 'asked_later', 'held'] as const
export const WAIT_REASONS = [...HELD_IN_PERSON, ...CONTACT_HOLDS] as const
export type WaitReason = (typeof WAIT_REASONS)[number]

export const isHeldInPerson = (why: WaitReason): boolean => HELD_IN_PERSON.some((one) => one === why)
