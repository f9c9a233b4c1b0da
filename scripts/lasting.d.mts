export const COMPILED: string
export const LASTING: Record<string, string>
