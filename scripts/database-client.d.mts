export function generateClient(): Promise<void>
