import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Viewer } from '../../../shared/viewer.ts'
import { trpc } from '../../api/trpc.ts'
import {
  deviceState,
  forgetDevice,
  notifyDevice,
  type DeviceState,
} from '../../browser/device-notifications.ts'

/** Whether this device notifies the user, and a function that changes it. */
export function useDevice({ id }: Viewer, onChanged?: (state: DeviceState) => void) {
  const { notifications } = trpc.useUtils().client
  const [state, setState] = useState(() => deviceState(id))
  const update = useMutation({
    scope: { id: 'device' },
    mutationFn: (isOn: boolean) =>
      isOn
        ? notifyDevice(id, notifications)
        : forgetDevice((endpoint) => notifications.unsubscribePush.mutate({ endpoint })),
    onSettled() {
      const next = deviceState(id)
      setState(next)
      onChanged?.(next)
    },
  })
  return { state, update }
}
