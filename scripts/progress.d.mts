export function step<T>(label: string, work: () => T | Promise<T>): Promise<T>
