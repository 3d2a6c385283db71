import { createFileRoute } from '@tanstack/react-router'
import { ErrorLogsScreen } from '#features/error-page/error-logs-screen.tsx'

export const Route = createFileRoute('/error-logs')({ component: ErrorLogsScreen })
