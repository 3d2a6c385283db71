import { useServices, useValue } from './app-context.tsx'

/** The name of the CRM on the screen, where there are several. */
export function useShownCrm(): string | undefined {
  const { crms } = useServices()
  return useValue(crms).find(({ isShown }) => isShown)?.name
}
