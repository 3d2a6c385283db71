import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { goBack } from '#lib/browser/own-back.ts'
import { pushOver } from '#ui/popup/push-once.ts'
import { hrefWith } from '#ui/popup/use-popup.ts'

/** Marks a history entry that `open` pushed, so that closing goes back over it. */
const PUSHED = 'photoPushed'

/**
 * The photo in the URL (`?photo=key`), over a screen or over a popup: opened and closed as popups are (`use-popup.ts`), with
 * a parameter of its own, so that the popup under it stays. `show` changes it in its place.
 */
export function usePhotoInUrl(): {
  key: string | undefined
  open: (key: string) => void
  show: (key: string) => void
  close: () => void
} {
  const { history } = useRouter()
  const key = useRouterState({ select: ({ location }) => photoIn(location.search) })
  const href = (photo: string | null) => hrefWith(history.location, 'photo', photo)
  // going back takes a moment: a second 閉じる in it must not go back further
  const closing = useRef(false)
  useEffect(() => {
    closing.current = false
  }, [key])
  return {
    key,
    open: (photo) => pushOver(history, href(photo), PUSHED),
    show: (photo) => history.replace(href(photo), history.location.state),
    close() {
      if (closing.current || !new URLSearchParams(history.location.search).has('photo')) return
      closing.current = true
      if (PUSHED in history.location.state) goBack(history)
      else history.replace(href(null))
    },
  }
}

const photoIn = (search: object): string | undefined =>
  'photo' in search && typeof search.photo === 'string' ? search.photo : undefined
