/** The end of a list coming into sight, where nothing is laid out: observers that a test tells. */
import { act } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'

type Tell = (entries: { isIntersecting: boolean }[]) => void

/** Call it in a describe; the answer tells all that is observed at that time. */
export function watchScrollEnd(): () => void {
  const watching = new Set<Tell>()
  class Observer {
    private readonly tell: Tell
    constructor(tell: Tell) {
      this.tell = tell
    }
    observe() {
      watching.add(this.tell)
    }
    disconnect() {
      watching.delete(this.tell)
    }
  }
  beforeEach(() => void vi.stubGlobal('IntersectionObserver', Observer))
  afterEach(() => {
    watching.clear()
    vi.unstubAllGlobals()
  })
  return () => act(() => [...watching].forEach((tell) => tell([{ isIntersecting: true }])))
}
