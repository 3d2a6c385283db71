import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { messageText } from '#messages/messages.ts'
import { useServices } from '#data/app-context.tsx'
import type { Saver } from '#data/changes.ts'
import { maySave, type FormAction, type FormSlug } from '#data/offline-policy.ts'
import { useSaver } from '#data/use-saver.ts'

interface Save {
  /** Why it may not be saved any more, and where that leads. */
  bar?: { text: string; go: () => Promise<void> } | null
  /** @returns a text where there is nothing to save any more: it is said instead */
  write: (saver: Saver) => Promise<string | void>
  leave: () => Promise<void> | void
}

/**
 * The save of a form of a request, by the table of what one may do without a signal. It says where what was saved is now:
 * on its way, or on the device until there is a signal.
 */
export function useSave(slug: FormSlug, action: FormAction): (save: Save) => Promise<void | 'not-saved'> {
  const { i18n } = useLingui()
  const { flash, online } = useServices()
  const navigate = useNavigate()
  const saver = useSaver()
  const tell = (said: string | void) => {
    if (said) flash.show('danger', said)
    else if (online.get()) flash.show('success', messageText(i18n, 'saveSuccess'))
    else flash.show('warning', messageText(i18n, 'savedOffline'))
  }
  return async ({ bar, write, leave }) => {
    if (!maySave(slug, action, online.get())) {
      await navigate({ to: '/forbidden' })
      return 'not-saved'
    }
    if (bar) {
      flash.show('danger', bar.text)
      return bar.go()
    }
    const parts = saver()
    if (!parts) return 'not-saved'
    tell(await write(parts))
    return leave()
  }
}
