import type { Contract } from '#lib/contracts/contract'

const TONES: Record<Contract['method'], string> = {
  GET: 'text-info',
  POST: 'text-success',
  PUT: 'text-warning',
  PATCH: 'text-warning',
  DELETE: 'text-danger',
}

export function MethodBadge({ method }: { method: Contract['method'] }) {
  return <span className={`font-mono text-2xs font-semibold ${TONES[method]}`}>{method}</span>
}
