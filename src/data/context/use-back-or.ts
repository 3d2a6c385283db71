import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { goBack } from '#lib/browser/own-back.ts'

/**
 * Returns a function that goes back to the previous screen, or calls `go` if the screen was opened by its
 * URL.
 */
export function useBackOr(): (go: () => Promise<void>) => Promise<void> {
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  return async (go) => (canGoBack ? goBack(history) : go())
}
