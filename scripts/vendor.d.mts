export function vendor(): void
