// The peer of the benchmark: what a good Go program does with client-go as it is released. It prints one line of JSON.
// Usage: informer [--json] sync|get|watch|start KUBECONFIG NAMESPACE/NAME COUNT
// client-go asks for protobuf by itself; --json makes it speak as all others do.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const inFlight = 8

// The benchmark reads it; the names are those of bench/measure.ts.
type outcome struct {
	Runtime    string  `json:"runtime"`
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpuSeconds"`
	Count      int     `json:"count"`
}

func main() {
	useJSON := flag.Bool("json", false, "ask the server for JSON")
	flag.Parse()
	if flag.NArg() != 4 {
		fail(errors.New("four arguments are needed: sync|get|watch|start KUBECONFIG NAMESPACE/NAME COUNT"))
	}
	namespace, name, _ := strings.Cut(flag.Arg(2), "/")
	count, err := strconv.Atoi(flag.Arg(3))
	fail(err)
	client := connect(flag.Arg(1), *useJSON)
	ctx := context.Background()
	switch mode := flag.Arg(0); mode {
	case "sync":
		syncAll(ctx, client)
		// The benchmark reads how much memory is in use, and ends this process.
		select {}
	case "get":
		getMany(ctx, client, namespace, name, count/10)
		tell(measured(func() int { return getMany(ctx, client, namespace, name, count) }))
	case "watch":
		tell(measured(func() int { return watchMany(ctx, client, count) }))
	case "start":
		tell(measured(func() int { return getMany(ctx, client, namespace, name, 1) }))
	default:
		fail(fmt.Errorf("there is no mode %q", mode))
	}
}

func connect(kubeconfig string, useJSON bool) *kubernetes.Clientset {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	fail(err)
	config.QPS = -1
	if useJSON {
		config.ContentType = "application/json"
		config.AcceptContentTypes = "application/json"
	}
	client, err := kubernetes.NewForConfig(config)
	fail(err)
	return client
}

func syncAll(ctx context.Context, client kubernetes.Interface) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(withoutManagedFields))
	claims := factory.Core().V1().PersistentVolumeClaims().Informer()
	volumes := factory.Core().V1().PersistentVolumes().Informer()
	tell(measured(func() int {
		factory.StartWithContext(ctx)
		// Not WaitForCacheSync: it looks only every 100 ms.
		<-claims.HasSyncedChecker().Done()
		<-volumes.HasSyncedChecker().Done()
		return len(claims.GetStore().ListKeys()) + len(volumes.GetStore().ListKeys())
	}))
}

func withoutManagedFields(object any) (any, error) {
	if accessor, err := meta.Accessor(object); err == nil {
		accessor.SetManagedFields(nil)
	}
	return object, nil
}

func getMany(ctx context.Context, client kubernetes.Interface, namespace, name string, count int) int {
	var asked, answered atomic.Int64
	var workers sync.WaitGroup
	for range min(inFlight, count) {
		workers.Go(func() {
			for asked.Add(1) <= int64(count) {
				_, err := client.CoreV1().PersistentVolumeClaims(namespace).Get(ctx, name, metav1.GetOptions{})
				fail(err)
				answered.Add(1)
			}
		})
	}
	workers.Wait()
	return int(answered.Load())
}

// A streamed first list, so many times: the server sends as fast as it can, and each object is an event.
func watchMany(ctx context.Context, client kubernetes.Interface, passes int) int {
	events := 0
	for range passes {
		events += watchOnce(ctx, client)
	}
	return events
}

func watchOnce(ctx context.Context, client kubernetes.Interface) int {
	streamed := true
	events, err := client.CoreV1().PersistentVolumeClaims("").Watch(ctx, metav1.ListOptions{
		AllowWatchBookmarks:  true,
		SendInitialEvents:    &streamed,
		ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
	})
	fail(err)
	defer events.Stop()
	seen := 0
	for event := range events.ResultChan() {
		switch event.Type {
		case watch.Bookmark:
			return seen
		case watch.Error:
			fail(fmt.Errorf("the watch failed: %v", event.Object))
		default:
			seen++
		}
	}
	fail(errors.New("the watch ended before its first list was whole"))
	return seen
}

func measured(work func() int) outcome {
	cpu, start := cpuSeconds(), time.Now()
	count := work()
	return outcome{runtime.Version(), time.Since(start).Seconds(), cpuSeconds() - cpu, count}
}

func cpuSeconds() float64 {
	var used syscall.Rusage
	fail(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

func tell(result outcome) {
	fail(json.NewEncoder(os.Stdout).Encode(result))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
