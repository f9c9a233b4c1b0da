/** A text in which LIKE finds itself only: Prisma's `contains` leaves the wildcards % and _ as they are. */
export const likeText = (text: string) => text.replace(/[\\%_]/g, '\\$&')
