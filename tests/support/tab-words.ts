/** What the tabs of a test's phone say to each other. */
import { filter, map, Subject } from 'rxjs'
import type { TabChannel } from '#sync/leadership/lease.ts'

export function tabWords() {
  const words = new Subject<{ from: object; word: string }>()
  const said: string[] = []
  return {
    /** In order, by whichever tab. */
    said,
    /** Of one more tab; while it is frozen it hears nothing. */
    channel(isFrozen: () => boolean): TabChannel {
      const tab: TabChannel = {
        say(word) {
          said.push(word)
          setTimeout(() => words.next({ from: tab, word }))
        },
        messages$: words.pipe(
          filter(({ from }) => from !== tab && !isFrozen()),
          map(({ word }) => word),
        ),
        close: () => undefined,
      }
      return tab
    },
  }
}
