import { useLingui } from '@lingui/react/macro'
import { messageText } from '#messages/messages.ts'
import { useServices } from '#data/app-context.tsx'

/** Says after a save where it is now: on its way, or on the device until there is a signal. */
export function useSavedFlash(): () => void {
  const { i18n } = useLingui()
  const { flash, online } = useServices()
  return () => {
    if (online.get()) flash.show('success', messageText(i18n, 'saveSuccess'))
    else flash.show('warning', messageText(i18n, 'savedOffline'))
  }
}
