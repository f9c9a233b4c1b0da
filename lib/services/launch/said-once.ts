type Found = { code: string; message: string; step: number | null }

/** Whether a warning says of a field that no lead has, or of a step that never runs, what blocks the launch already. */
const isSaid = (warning: Found, block: Found): boolean => {
  if (block.code === 'condition_never_holds')
    return warning.code === 'step_never_runs' && warning.message.startsWith(`Step ${block.step} `)
  const [field] = /^\{\{ \S+ \}\}/.exec(block.message) ?? []
  return warning.code === 'merge_value_missing' && field !== undefined && warning.message.includes(field)
}

/** The warnings that are none of what blocks the launch: each thing to mend is said once. */
export const besidesBlocks = <Warning extends Found>(warns: Warning[], blocks: readonly Found[]): Warning[] =>
  warns.filter((warning) => !blocks.some((block) => isSaid(warning, block)))
