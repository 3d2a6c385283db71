import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { goBack } from '#lib/browser/own-back.ts'
import { pushOver } from '#ui/controls/push-once.ts'
import { hrefWith } from '#ui/popup/use-popup.ts'

/** Keys that `open` sets in the state of the history entry it pushes. Closing such an entry goes back. */
const PUSHED = { photo: 'photoPushed', marks: 'marksPushed', sheet: 'sheetPushed' }

/**
 * A full-screen overlay in the URL. It opens and closes like a popup (`use-popup.ts`), but has its own parameter, so
 * that the popup below stays open. `show` replaces the current photo.
 *
 *     ?photo=key   the photo viewer
 *     ?marks=key   黒板・書き込み on a photo
 *     ?sheet=name  a form such as KY活動表, which the app adds to the photos as a picture
 */
export function useOverlayInUrl(param: keyof typeof PUSHED = 'photo'): {
  key: string | undefined
  open: (key: string) => void
  show: (key: string) => void
  close: () => void
} {
  const { history } = useRouter()
  const key = useRouterState({ select: ({ location }) => photoIn(location.search, param) })
  const href = (photo: string | null) => hrefWith(history.location, param, photo)
  // Going back is asynchronous, so a second press on 閉じる must not go back again.
  const closing = useRef(false)
  useEffect(() => {
    closing.current = false
  }, [key])
  return {
    key,
    open: (photo) => pushOver(history, href(photo), PUSHED[param]),
    show: (photo) => history.replace(href(photo), history.location.state),
    close() {
      if (closing.current || !new URLSearchParams(history.location.search).has(param)) return
      closing.current = true
      if (PUSHED[param] in history.location.state) goBack(history)
      else history.replace(href(null))
    },
  }
}

function photoIn(search: object, param: string): string | undefined {
  const key: unknown = Reflect.get(search, param)
  return typeof key === 'string' ? key : undefined
}
