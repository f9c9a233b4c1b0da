type Written = { subject: string | null; message_template: string | null }

/**
 * The words that are written in a step: a variant's own, where it has some, else those of the step. A variant's may be empty,
 * as an invitation without a note is.
 */
export const writtenText = (step: Written, variant?: Partial<Written> | null): Written => ({
  subject: variant?.subject ?? step.subject,
  message_template: variant?.message_template ?? step.message_template,
})
