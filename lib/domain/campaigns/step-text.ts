type Written = { subject: string | null; message_template: string | null }

/**
 * The text written in a step: a variant's own if it has one, otherwise that of the step. A variant's text may be empty, such as
 * an invitation without a note.
 */
export const writtenText = (step: Written, variant?: Partial<Written> | null): Written => ({
  subject: variant?.subject ?? step.subject,
  message_template: variant?.message_template ?? step.message_template,
})
