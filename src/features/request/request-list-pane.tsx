import { useMatch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PickList } from './lazy-popups.ts'
import { SearchList } from './search-list.tsx'

/**
 * 依頼検索 as the left pane of the wide layout.
 * @param currentKey `requestId_workingDate` of what the view pane shows; the day may be empty
 */
export function RequestListPane({ currentKey }: { currentKey?: string }) {
  const open = useMatch({ from: '/_app/request/', shouldThrow: false })
  if (open?.search.select !== true) return <SearchList currentKey={currentKey} />
  return (
    <Suspense>
      <PickList />
    </Suspense>
  )
}
