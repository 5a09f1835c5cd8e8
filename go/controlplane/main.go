// One binary that is every part of a Kubernetes control plane: it looks at the name it was called by.
// Linking the parts together costs one link instead of six, and the parts share most of their code.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	parts := map[string]func(){
		"etcd":                    func() { etcdmain.Main(os.Args) },
		"kube-apiserver":          serve(apiserver.NewAPIServerCommand),
		"kube-controller-manager": serve(controllermanager.NewControllerManagerCommand),
		"kube-scheduler":          serve(func() *cobra.Command { return scheduler.NewSchedulerCommand() }),
		"kubelet":                 serve(kubeletCommand),
		"kubectl":                 runKubectl,
	}
	name := filepath.Base(os.Args[0])
	part, known := parts[name]
	if !known {
		names := slices.Sorted(maps.Keys(parts))
		fmt.Fprintf(os.Stderr, "%q is no part of a control plane: call me by a link named %s\n", name, strings.Join(names, ", "))
		os.Exit(2)
	}
	part()
}

func serve(command func() *cobra.Command) func() {
	return func() { os.Exit(cli.Run(command())) }
}

// The constructor took no context before Kubernetes 1.34.
func kubeletCommand() *cobra.Command {
	switch construct := any(kubelet.NewKubeletCommand).(type) {
	case func(context.Context) *cobra.Command:
		return construct(context.Background())
	case func() *cobra.Command:
		return construct()
	default:
		panic("kubelet's command is made in another way now")
	}
}

// kubectl prints its own errors and maps them to exit codes; cli.Run would print them twice.
func runKubectl() {
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err)
	}
}
