import { DetailSkeleton } from '#components/ui/list-skeleton'

export default function Loading() {
  return <DetailSkeleton />
}
