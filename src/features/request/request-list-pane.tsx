import { useMatch } from '@tanstack/react-router'
import { PickList } from './pick-list.tsx'
import { SearchList } from './search-list.tsx'

/**
 * 依頼検索 as the left pane of the wide layout.
 * @param currentKey `requestId_workingDate` of what the view pane shows; the day may be empty
 */
export function RequestListPane({ currentKey }: { currentKey?: string }) {
  const open = useMatch({ from: '/_app/request/', shouldThrow: false })
  return open?.search.select === true ? <PickList /> : <SearchList currentKey={currentKey} />
}
