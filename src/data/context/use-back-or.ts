import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { goBack } from '#lib/browser/own-back.ts'

/** Out of a screen: to where one came from, else where `go` leads (the screen was opened by its address). */
export function useBackOr(): (go: () => Promise<void>) => Promise<void> {
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  return async (go) => (canGoBack ? goBack(history) : go())
}
