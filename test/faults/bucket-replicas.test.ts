import { leaseName } from "../../src/api/buckets/names.ts";
import { controllerMakes, sidecarMakes } from "../buckets/flows/flows.ts";
import { sceneOn } from "../buckets/flows/scene.ts";
import { survivesAChange } from "./change-of-leader.ts";

survivesAChange(sidecarMakes, (place) => {
  const { home, keeper } = sceneOn(place);
  return { namespace: home, name: leaseName(keeper.name) };
});
survivesAChange(controllerMakes, () => ({ namespace: "portway-system", name: "portway-buckets" }));
