// One call of every kind with the client of openapi-generator's `go`.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	gatewayapi "example.org/gatewayapi"
)

func main() {
	config := gatewayapi.NewConfiguration()
	config.Servers = gatewayapi.ServerConfigurations{{URL: os.Getenv("GATEWAY_URL")}}
	client := gatewayapi.NewAPIClient(config)
	suffix := fmt.Sprint(time.Now().UnixNano())

	credentials := gatewayapi.NewPostAuthLoginRequest()
	credentials.SetUsername("demo")
	credentials.SetPassword("demo-secret")
	login, _, err := client.AuthAPI.PostAuthLogin(context.Background()).PostAuthLoginRequest(*credentials).Execute()
	check(err)
	ctx := context.WithValue(context.Background(), gatewayapi.ContextAPIKeys, map[string]gatewayapi.APIKey{
		"token":   {Key: login.Token},
		"project": {Key: login.ProjectId},
	})

	images, _, err := client.ImagesAPI.GetImages(ctx).Name("ubuntu-22.04").Execute()
	check(err)
	require(len(images) == 1 && !images[0].GetCreatedAt().IsZero(), "one image, with its time")

	wanted := gatewayapi.NewCreateVolume("größe-" + suffix)
	wanted.SetSizeGb(1)
	volume, _, err := client.VolumesAPI.PostVolumes(ctx).CreateVolume(*wanted).Execute()
	check(err)
	require(volume.Id != "", "the volume has an id")

	key := gatewayapi.NewPostKeypairsRequest("key-" + suffix)
	_, _, err = client.KeypairsAPI.PostKeypairs(ctx).PostKeypairsRequest(*key).Execute()
	check(err)
	_, response, err := client.KeypairsAPI.PostKeypairs(ctx).PostKeypairsRequest(*key).Execute()
	refusal, isError := err.(*gatewayapi.GenericOpenAPIError)
	require(isError && response.StatusCode == 409, "the second key pair is refused")
	refused, isModel := refusal.Model().(gatewayapi.Error)
	require(isModel && refused.Code == "conflict", "the refusal has its code")

	file, _, err := client.CloudFilesAPI.GetAuthOpenrc(ctx).Execute()
	check(err)
	require(strings.Contains(file, "OS_AUTH_URL"), file)

	// The creation as a job, which the function does not return, and whose events are a text that ends with the job.
	followed := gatewayapi.NewCreateVolume("stream-" + suffix)
	followed.SetSizeGb(1)
	_, accepted, _ := client.VolumesAPI.PostVolumes(ctx).CreateVolume(*followed).Prefer("respond-async").Execute()
	require(accepted.StatusCode == 202, accepted.Status)
	id := accepted.Header.Get("X-Job-Id")
	events, _, err := client.JobsAPI.GetJobsByJobIdEvents(ctx, id).Execute()
	check(err)
	require(strings.Contains(events, `"step":"COMPLETED"`), events)
	job, _, err := client.JobsAPI.GetJobsByJobId(ctx, id).Execute()
	check(err)
	require(job.Status == gatewayapi.JOBSTATUS_COMPLETED, "the job has completed")
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func require(holds bool, what string) {
	if !holds {
		panic(what)
	}
}
