import { DetailSkeleton } from '#components/ui/feedback/list-skeleton'

export default function Loading() {
  return <DetailSkeleton />
}
