import { ListSkeleton } from '#components/ui/feedback/list-skeleton'

export default function Loading() {
  return <ListSkeleton filters />
}
