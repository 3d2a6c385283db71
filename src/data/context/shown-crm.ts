import { useServices, useValue } from './app-context.tsx'

/** Name of the CRM on the screen; undefined if there is only one. */
export function useShownCrm(): string | undefined {
  const { crms } = useServices()
  return useValue(crms).find(({ isShown }) => isShown)?.name
}
